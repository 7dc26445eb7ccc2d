/* SPDX-License-Identifier: MIT */
/*
 * Node-API test addon around the transcribed listings (see README.md).
 *
 * It passes lists and numbers on and checks nothing: `describeOracle` gives the
 * listings aligned copies between guards.
 */
#define NAPI_VERSION 8
#include <node_api.h>

#include <stddef.h>
#include <stdint.h>

void oracle_SlerpJoints(float* joints, const float* blendJoints, float lerp, const int* index, int numJoints);
void oracle_LerpJoints(float* joints, const float* blendJoints, float lerp, const int* index, int numJoints);
void oracle_ReciprocalSqrt4(float* result, const float* x);
void oracle_SinZeroHalfPI4(float* result, const float* a);
void oracle_ATanPositive4(float* result, const float* y, const float* x);
void oracle_ATanPositiveDivps4(float* result, const float* y, const float* x);
void oracle_ConvertJointQuatsToJointMats(float* jointMats, const float* jointQuats, int numJoints);
void oracle_ConvertJointMatsToJointQuats(float* jointQuats, const float* jointMats, int numJoints);
void oracle_TransformSkeleton(float* jointMats, const int* parents, int firstJoint, int lastJoint);
void oracle_UntransformSkeleton(float* jointMats, const int* parents, int firstJoint, int lastJoint);
void oracle_TransformJoints(float* result, const float* joints1, const float* joints2, int numJoints);

typedef void (*Blend)(float*, const float*, float, const int*, int);
typedef void (*Convert)(float*, const float*, int);
typedef void (*Skeleton)(float*, const int*, int, int);
typedef void (*Product)(float*, const float*, const float*, int);
typedef void (*OfOne)(float*, const float*);
typedef void (*OfTwo)(float*, const float*, const float*);
typedef void (*Listing)(void);

enum { MAX_ARGS = 5 };

typedef struct {
    napi_env env;
    napi_value args[MAX_ARGS];
    Listing listing;
} Call;

static Call begin(napi_env env, napi_callback_info info) {
    Call call = {.env = env};
    size_t argc = MAX_ARGS;
    void* listing = NULL;
    napi_get_cb_info(env, info, &argc, call.args, NULL, &listing);
    call.listing = *(const Listing*)listing;
    return call;
}

static void* list(const Call* call, int arg) {
    void* data = NULL;
    napi_get_typedarray_info(call->env, call->args[arg], NULL, NULL, &data, NULL, NULL);
    return data;
}

static size_t length(const Call* call, int arg) {
    size_t count = 0;
    napi_get_typedarray_info(call->env, call->args[arg], NULL, &count, NULL, NULL, NULL);
    return count;
}

static float number(const Call* call, int arg) {
    double value = 0;
    napi_get_value_double(call->env, call->args[arg], &value);
    return (float)value;
}

static int integer(const Call* call, int arg) {
    int32_t value = 0;
    napi_get_value_int32(call->env, call->args[arg], &value);
    return value;
}

/* (joints, blendJoints, lerp, index, n) */
static napi_value blend(napi_env env, napi_callback_info info) {
    const Call c = begin(env, info);
    ((Blend)c.listing)(list(&c, 0), list(&c, 1), number(&c, 2), list(&c, 3), integer(&c, 4));
    return NULL;
}

/* (to, from, n) */
static napi_value convert(napi_env env, napi_callback_info info) {
    const Call c = begin(env, info);
    ((Convert)c.listing)(list(&c, 0), list(&c, 1), integer(&c, 2));
    return NULL;
}

/* (mats, parents, first, last), both ends included. */
static napi_value skeleton(napi_env env, napi_callback_info info) {
    const Call c = begin(env, info);
    ((Skeleton)c.listing)(list(&c, 0), list(&c, 1), integer(&c, 2), integer(&c, 3));
    return NULL;
}

/* (result, joints1, joints2, n) */
static napi_value product(napi_env env, napi_callback_info info) {
    const Call c = begin(env, info);
    ((Product)c.listing)(list(&c, 0), list(&c, 1), list(&c, 2), integer(&c, 3));
    return NULL;
}

/* (result, x), four numbers after four: the rest of a list is not touched. */
static napi_value of_one(napi_env env, napi_callback_info info) {
    const Call c = begin(env, info);
    float *result = list(&c, 0), *x = list(&c, 1);
    for (size_t i = 0; i + 4 <= length(&c, 0); i += 4) {
        ((OfOne)c.listing)(result + i, x + i);
    }
    return NULL;
}

/* (result, y, x), the same. */
static napi_value of_two(napi_env env, napi_callback_info info) {
    const Call c = begin(env, info);
    float *result = list(&c, 0), *y = list(&c, 1), *x = list(&c, 2);
    for (size_t i = 0; i + 4 <= length(&c, 0); i += 4) {
        ((OfTwo)c.listing)(result + i, y + i, x + i);
    }
    return NULL;
}

NAPI_MODULE_INIT() {
    static const struct {
        const char* name;
        napi_callback call;
        Listing listing;
    } functions[] = {
        {"slerpJoints", blend, (Listing)oracle_SlerpJoints},
        {"lerpJoints", blend, (Listing)oracle_LerpJoints},
        {"convertJointQuatsToJointMats", convert, (Listing)oracle_ConvertJointQuatsToJointMats},
        {"convertJointMatsToJointQuats", convert, (Listing)oracle_ConvertJointMatsToJointQuats},
        {"transformSkeleton", skeleton, (Listing)oracle_TransformSkeleton},
        {"untransformSkeleton", skeleton, (Listing)oracle_UntransformSkeleton},
        {"transformJoints", product, (Listing)oracle_TransformJoints},
        {"reciprocalSqrt", of_one, (Listing)oracle_ReciprocalSqrt4},
        {"sinZeroHalfPI", of_one, (Listing)oracle_SinZeroHalfPI4},
        {"atanPositive", of_two, (Listing)oracle_ATanPositive4},
        {"atanPositiveDivps", of_two, (Listing)oracle_ATanPositiveDivps4},
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        napi_value function;
        napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].call,
                             (void*)&functions[i].listing, &function);
        napi_set_named_property(env, exports, functions[i].name, function);
    }
    return exports;
}
