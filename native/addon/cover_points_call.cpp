// SPDX-License-Identifier: MIT
// Twin: lib/reduce/model/points.ts
#include <math.h>

#include "arrays.h"
#include "baker_calls.h"
#include "rig_call.h"

namespace poselane {

namespace {

/// Points whose hull covers others: the bits of the twin. Indices are those of a point's first number.
struct Hull {
    double* points;
    /// Of numbers.
    size_t length;

    void add(const double* point) {
        for (int c = 0; c < 3; c++) {
            points[length++] = point[c];
        }
    }

    double squaredDistance(size_t p, double x, double y, double z) const {
        const double dx = points[p] - x, dy = points[p + 1] - y, dz = points[p + 2] - z;
        return dx * dx + dy * dy + dz * dz;
    }

    /// The farthest point in a direction.
    size_t farthest(double x, double y, double z) const {
        double best = -HUGE_VAL;
        size_t which = 0;
        for (size_t p = 0; p < length; p += 3) {
            const double along = points[p] * x + points[p + 1] * y + points[p + 2] * z;
            which = along > best ? p : which;
            best = along > best ? along : best;
        }
        return which;
    }

    size_t nearest(double x, double y, double z) const {
        double best = HUGE_VAL;
        size_t which = 0;
        for (size_t p = 0; p < length; p += 3) {
            const double distance = squaredDistance(p, x, y, z);
            which = distance < best ? p : which;
            best = distance < best ? distance : best;
        }
        return which;
    }

    /// Upper bound of the squared distance of a point, by Frank-Wolfe steps.
    double distanceOf(const double* point, double enough) const {
        constexpr int kSteps = 100;
        const double x = point[0], y = point[1], z = point[2];
        const size_t start = nearest(x, y, z);
        double hx = points[start], hy = points[start + 1], hz = points[start + 2];
        double distance = squaredDistance(start, x, y, z);
        for (int step = 0; step < kSteps && distance > enough; step++) {
            const double dx = x - hx, dy = y - hy, dz = z - hz;
            const size_t p = farthest(dx, dy, dz);
            const double sx = points[p] - hx, sy = points[p + 1] - hy, sz = points[p + 2] - hz;
            const double squared = sx * sx + sy * sy + sz * sz, along = dx * sx + dy * sy + dz * sz;
            if (!(along > 0.0)) {
                break;
            }
            const double share = along < squared ? along / squared : 1.0;
            hx += share * sx;
            hy += share * sy;
            hz += share * sz;
            const double ex = x - hx, ey = y - hy, ez = z - hz;
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

    /// Returns the number of chosen points; 0 for a wrong index.
    size_t run() const {
        Hull hull = {chosen.data, 0};
        for (size_t i = 0; i < corners.length; i++) {
            const double* const point = pointAt(corners.data + i);
            if (point == nullptr) {
                return 0;
            }
            const double x = point[0], y = point[1], z = point[2];
            if (hull.length == 0 || hull.squaredDistance(hull.nearest(x, y, z), x, y, z) > allowed / 4.0) {
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
            if (static_cast<double>(hull.length / 3) > most) {
                break;
            }
        }
        slack.data[0] = sqrt(farthest);
        return hull.length / 3;
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
