// SPDX-License-Identifier: MIT
// Twin: lib/reduce/model/points.ts
#include <math.h>

#include "../rig/subtree_errors.h"
#include "arrays.h"
#include "baker_calls.h"
#include "rig_call.h"

namespace poselane {

namespace {

/// Points whose hull covers others: the bits of the twin. Lists are padded with the last point to whole vectors.
struct Hull {
    double *x, *y, *z;
    size_t count;

    void add(const double* point) {
        double* const lists[] = {x, y, z};
        for (int c = 0; c < 3; c++) {
            for (size_t i = count; i <= count + kSamples; i++) {
                lists[c][i] = point[c];
            }
        }
        count++;
    }

    /// The first point with the maximum; the first of all if no number is above -HUGE_VAL.
    template <class ValueOf> size_t maximum(const ValueOf& valueOf) const {
        Samples best;
        fillSamples(best, -HUGE_VAL);
        for (size_t p = 0; p < count; p += kSamples) {
            const Samples value = valueOf(p);
            best = value > best ? value : best;
        }
        double each[kSamples];
        storeSamples(each, best);
        double max = -HUGE_VAL;
        for (const double one : each) {
            max = one > max ? one : max;
        }
        for (size_t p = 0; p < count && max > -HUGE_VAL; p += kSamples) {
            storeSamples(each, valueOf(p));
            for (size_t i = 0; i < kSamples; i++) {
                if (each[i] == max) {
                    return p + i;
                }
            }
        }
        return 0;
    }

    static Samples load(const double* from) {
        Samples samples;
        loadSamples(samples, from);
        return samples;
    }

    /// The farthest point in a direction.
    size_t farthest(double dx, double dy, double dz) const {
        return maximum([=](size_t p) { return load(x + p) * dx + load(y + p) * dy + load(z + p) * dz; });
    }

    size_t nearest(double qx, double qy, double qz) const {
        return maximum([=](size_t p) {
            const Samples px = load(x + p) - qx, py = load(y + p) - qy, pz = load(z + p) - qz;
            return -(px * px + py * py + pz * pz);
        });
    }

    double squaredDistance(size_t p, double qx, double qy, double qz) const {
        const double dx = x[p] - qx, dy = y[p] - qy, dz = z[p] - qz;
        return dx * dx + dy * dy + dz * dz;
    }

    /// Upper bound of the squared distance of a point, by Frank-Wolfe steps.
    double distanceOf(const double* q, double enough) const {
        constexpr int kSteps = 100;
        const size_t start = nearest(q[0], q[1], q[2]);
        double hx = x[start], hy = y[start], hz = z[start];
        double distance = squaredDistance(start, q[0], q[1], q[2]);
        for (int step = 0; step < kSteps && distance > enough; step++) {
            const double dx = q[0] - hx, dy = q[1] - hy, dz = q[2] - hz;
            const size_t p = farthest(dx, dy, dz);
            const double sx = x[p] - hx, sy = y[p] - hy, sz = z[p] - hz;
            const double squared = sx * sx + sy * sy + sz * sz, along = dx * sx + dy * sy + dz * sz;
            if (!(along > 0.0)) {
                break;
            }
            const double share = along < squared ? along / squared : 1.0;
            hx += share * sx;
            hy += share * sy;
            hz += share * sz;
            const double ex = q[0] - hx, ey = q[1] - hy, ez = q[2] - hz;
            distance = ex * ex + ey * ey + ez * ez;
        }
        return distance;
    }
};

struct Cover {
    View<double> chosen, slack;
    View<const double> points;
    View<const int32_t> corners, order;
    double allowed, most;
    HeapMemory memory;
    Array<double> lists;

    bool read(napi_env env, const napi_value* values) {
        return readView(env, values[0], napi_float64_array, &chosen) &&
               readView(env, values[1], napi_float64_array, &slack) &&
               readView(env, values[2], napi_float64_array, &points) && readInts(env, values[3], &corners) &&
               readInts(env, values[4], &order) && isNumber(env, values[5], &allowed) &&
               isNumber(env, values[6], &most) && slack.length > 0 && corners.length > 0 &&
               corners.length + order.length <= chosen.length / 3;
    }

    /// Null for an index that no point has.
    const double* pointAt(const int32_t* index) const {
        const int32_t p = readOnce(index);
        return p < 0 || static_cast<size_t>(p) + 3 > points.length ? nullptr : points.data + p;
    }

    /// Returns the number of chosen points; 0 for a wrong index or without memory.
    size_t run() {
        Hull hull = {};
        const size_t room = corners.length + order.length + kSamples;
        if (!lists.allocate(memory, room * 3)) {
            return 0;
        }
        hull.x = lists.data;
        hull.y = hull.x + room;
        hull.z = hull.y + room;
        for (size_t i = 0; i < corners.length; i++) {
            const double* const point = pointAt(corners.data + i);
            if (point == nullptr) {
                return 0;
            }
            const double x = point[0], y = point[1], z = point[2];
            if (hull.count == 0 || hull.squaredDistance(hull.nearest(x, y, z), x, y, z) > allowed / 4.0) {
                hull.add(point);
            }
        }
        double farthest = 0.0;
        for (size_t i = 0; i < order.length; i++) {
            const double* const point = pointAt(order.data + i);
            if (point == nullptr) {
                return 0;
            }
            const double distance = hull.distanceOf(point, allowed);
            if (distance > allowed) {
                hull.add(point);
            } else if (distance > farthest) {
                farthest = distance;
            }
            if (static_cast<double>(hull.count) > most) {
                break;
            }
        }
        slack.data[0] = sqrt(farthest);
        for (size_t p = 0; p < hull.count; p++) {
            chosen.data[p * 3] = hull.x[p];
            chosen.data[p * 3 + 1] = hull.y[p];
            chosen.data[p * 3 + 2] = hull.z[p];
        }
        return hull.count;
    }
};

} // namespace

napi_value coverPoints(napi_env env, napi_callback_info info) {
    Arguments<7> arguments;
    Cover cover;
    if (!arguments.read(env, info) || !cover.read(env, arguments.values)) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    const size_t count = cover.run();
    if (count == 0) {
        return refuse(env);
    }
    napi_value result = nullptr;
    napi_create_uint32(env, static_cast<uint32_t>(count), &result);
    return result;
}

} // namespace poselane
