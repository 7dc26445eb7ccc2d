/* SPDX-License-Identifier: MIT */
/*
 * Node-API test addon around the transcribed listings (see README.md).
 *
 * Every call copies its typed arrays into 16-byte aligned temporaries that lie
 * between two guard zones, runs the listing on the temporaries, verifies that
 * the guards and the read-only inputs are untouched, and copies the outputs back.
 * Two arguments that start at the same address share one temporary, so the
 * listings' behaviour with aliased arguments can be observed.
 */
#define NAPI_VERSION 8
#include <node_api.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

enum { QUAT_FLOATS = 8, MAT_FLOATS = 12, MAX_ARGS = 5, MAX_BUFFERS = 3 };
enum { GUARD_BYTES = 4096, GUARD_PATTERN = 0xCB };

/* ---- arguments ------------------------------------------------------------ */

typedef struct {
    const char* name;
    void* data;        /* the caller's memory */
    size_t bytes;      /* its length */
    size_t count;      /* its length in elements */
    bool output;       /* written by the listing, copied back */
    int shares;        /* index of the buffer whose temporary this one uses, or its own index */
    unsigned char* block;
    unsigned char* temp; /* 16-byte aligned, GUARD_BYTES before and after */
    size_t tempBytes;
} Buffer;

typedef struct {
    napi_env env;
    napi_value args[MAX_ARGS];
    Buffer buffers[MAX_BUFFERS];
    int numBuffers;
} Call;

static bool fail_type(napi_env env, const char* name, const char* what) {
    char message[160];
    snprintf(message, sizeof message, "%s must be %s", name, what);
    napi_throw_type_error(env, NULL, message);
    return false;
}

static bool fail_range(napi_env env, const char* name, const char* what) {
    char message[160];
    snprintf(message, sizeof message, "%s %s", name, what);
    napi_throw_range_error(env, NULL, message);
    return false;
}

static bool call_begin(Call* call, napi_env env, napi_callback_info info, size_t expected) {
    memset(call, 0, sizeof *call);
    call->env = env;
    size_t argc = MAX_ARGS;
    if (napi_get_cb_info(env, info, &argc, call->args, NULL, NULL) != napi_ok) {
        napi_throw_error(env, NULL, "napi_get_cb_info failed");
        return false;
    }
    if (argc < expected) {
        napi_throw_type_error(env, NULL, "too few arguments");
        return false;
    }
    return true;
}

/* Adds argument `arg` as a buffer; its index in call->buffers is the order of the calls. */
static bool get_array(Call* call, int arg, const char* name, napi_typedarray_type wanted, bool output) {
    const char* what = wanted == napi_int32_array ? "an Int32Array" : "a Float32Array";
    bool is_array = false;
    if (napi_is_typedarray(call->env, call->args[arg], &is_array) != napi_ok || !is_array) {
        return fail_type(call->env, name, what);
    }
    napi_typedarray_type type;
    size_t length = 0;
    void* data = NULL;
    if (napi_get_typedarray_info(call->env, call->args[arg], &type, &length, &data, NULL, NULL) != napi_ok ||
        type != wanted) {
        return fail_type(call->env, name, what);
    }
    Buffer* buffer = &call->buffers[call->numBuffers];
    buffer->name = name;
    buffer->data = data;
    buffer->count = length;
    buffer->bytes = length * 4;
    buffer->output = output;
    buffer->shares = call->numBuffers;
    call->numBuffers++;
    return true;
}

static bool get_float(Call* call, int arg, const char* name, float* out) {
    double value;
    if (napi_get_value_double(call->env, call->args[arg], &value) != napi_ok) {
        return fail_type(call->env, name, "a number");
    }
    *out = (float)value;
    return true;
}

static bool get_int(Call* call, int arg, const char* name, int* out) {
    double value;
    if (napi_get_value_double(call->env, call->args[arg], &value) != napi_ok) {
        return fail_type(call->env, name, "a number");
    }
    if (!(value >= INT32_MIN && value <= INT32_MAX) || value != floor(value)) {
        return fail_range(call->env, name, "must be a 32-bit integer");
    }
    *out = (int)value;
    return true;
}

/* A count of joints. The listings loop out of bounds for a negative one; all seven handle zero. */
static bool get_count(Call* call, int arg, int* out) {
    if (!get_int(call, arg, "n", out)) {
        return false;
    }
    return *out >= 0 || fail_range(call->env, "n", "must not be negative");
}

static bool need(Call* call, int buffer, int elements, int size) {
    const Buffer* b = &call->buffers[buffer];
    return b->count >= (size_t)elements * (size_t)size || fail_range(call->env, b->name, "is too short");
}

/* ---- temporaries ---------------------------------------------------------- */

static void call_free(Call* call) {
    for (int i = 0; i < call->numBuffers; i++) {
        free(call->buffers[i].block);
        call->buffers[i].block = NULL;
    }
}

static bool call_copy_in(Call* call) {
    for (int i = 0; i < call->numBuffers; i++) {
        Buffer* b = &call->buffers[i];
        for (int j = 0; j < i && b->bytes != 0; j++) {
            const Buffer* other = &call->buffers[j];
            if (other->bytes == 0) {
                continue;
            }
            if (other->data == b->data) {
                b->shares = other->shares;
                break;
            }
            uintptr_t start = (uintptr_t)b->data;
            uintptr_t otherStart = (uintptr_t)other->data;
            if (start < otherStart + other->bytes && otherStart < start + b->bytes) {
                return fail_range(call->env, b->name, "partly overlaps another argument");
            }
        }
    }
    for (int i = 0; i < call->numBuffers; i++) {
        Buffer* b = &call->buffers[i];
        if (b->shares != i) {
            continue;
        }
        const Buffer* longest = b;
        for (int j = i + 1; j < call->numBuffers; j++) {
            if (call->buffers[j].shares == i && call->buffers[j].bytes > longest->bytes) {
                longest = &call->buffers[j];
            }
        }
        b->tempBytes = longest->bytes;
        b->block = malloc(b->tempBytes + 2 * GUARD_BYTES + 15);
        if (b->block == NULL) {
            call_free(call);
            napi_throw_error(call->env, NULL, "out of memory");
            return false;
        }
        b->temp = (unsigned char*)(((uintptr_t)b->block + GUARD_BYTES + 15) & ~(uintptr_t)15);
        memset(b->block, GUARD_PATTERN, b->tempBytes + 2 * GUARD_BYTES + 15);
        if (b->tempBytes != 0) {
            memcpy(b->temp, longest->data, b->tempBytes);
        }
    }
    for (int i = 0; i < call->numBuffers; i++) {
        call->buffers[i].temp = call->buffers[call->buffers[i].shares].temp;
    }
    return true;
}

static bool is_output(const Call* call, int owner) {
    for (int i = 0; i < call->numBuffers; i++) {
        if (call->buffers[i].shares == owner && call->buffers[i].output) {
            return true;
        }
    }
    return false;
}

static bool guard_intact(const unsigned char* bytes, const unsigned char* end) {
    for (; bytes < end; bytes++) {
        if (*bytes != GUARD_PATTERN) {
            return false;
        }
    }
    return true;
}

/* Checks what the listing has written and copies the outputs back; nothing is copied when a check fails. */
static napi_value call_finish(Call* call) {
    char message[160] = "";
    for (int i = 0; i < call->numBuffers && message[0] == '\0'; i++) {
        const Buffer* b = &call->buffers[i];
        if (b->shares != i) {
            continue;
        }
        if (!guard_intact(b->block, b->temp)) {
            snprintf(message, sizeof message, "the listing wrote before the start of %s", b->name);
        } else if (!guard_intact(b->temp + b->tempBytes, b->block + b->tempBytes + 2 * GUARD_BYTES + 15)) {
            snprintf(message, sizeof message, "the listing wrote past the end of %s", b->name);
        } else if (b->bytes != 0 && !is_output(call, i) && memcmp(b->temp, b->data, b->bytes) != 0) {
            snprintf(message, sizeof message, "the listing wrote to its input %s", b->name);
        }
    }
    if (message[0] == '\0') {
        for (int i = 0; i < call->numBuffers; i++) {
            const Buffer* b = &call->buffers[i];
            if (b->output && b->bytes != 0) {
                memcpy(b->data, b->temp, b->bytes);
            }
        }
    } else {
        napi_throw_error(call->env, "ERR_ORACLE_GUARD", message);
    }
    call_free(call);
    return NULL;
}

static float* floats(const Call* call, int buffer) { return (float*)call->buffers[buffer].temp; }

static const int* ints(const Call* call, int buffer) { return (const int*)call->buffers[buffer].temp; }

/* ---- the functions -------------------------------------------------- */

static bool indices_inside(Call* call, int buffer, int first, int last, size_t limit) {
    const Buffer* b = &call->buffers[buffer];
    const unsigned char* bytes = b->data;
    for (int i = first; i <= last; i++) {
        int32_t value;
        memcpy(&value, bytes + (size_t)i * sizeof value, sizeof value);
        if (value < 0 || (size_t)value >= limit) {
            return fail_range(call->env, b->name, "holds an index outside the joints");
        }
    }
    return true;
}

typedef void (*BlendFn)(float*, const float*, float, const int*, int);

/* (joints: Float32Array, blendJoints: Float32Array, lerp: number, index: Int32Array, n: number) */
static napi_value blend_joints(napi_env env, napi_callback_info info, BlendFn listing) {
    Call call;
    float lerp;
    int n;
    if (!call_begin(&call, env, info, 5) || !get_array(&call, 0, "joints", napi_float32_array, true) ||
        !get_array(&call, 1, "blendJoints", napi_float32_array, false) || !get_float(&call, 2, "lerp", &lerp) ||
        !get_array(&call, 3, "index", napi_int32_array, false) || !get_count(&call, 4, &n) || !need(&call, 2, n, 1)) {
        return NULL;
    }
    size_t joints = call.buffers[0].count / QUAT_FLOATS;
    size_t blends = call.buffers[1].count / QUAT_FLOATS;
    if (!indices_inside(&call, 2, 0, n - 1, joints < blends ? joints : blends) || !call_copy_in(&call)) {
        return NULL;
    }
    listing(floats(&call, 0), floats(&call, 1), lerp, ints(&call, 2), n);
    return call_finish(&call);
}

static napi_value SlerpJoints(napi_env env, napi_callback_info info) {
    return blend_joints(env, info, oracle_SlerpJoints);
}

static napi_value LerpJoints(napi_env env, napi_callback_info info) {
    return blend_joints(env, info, oracle_LerpJoints);
}

/* (mats: Float32Array, quats: Float32Array, n: number) */
static napi_value ConvertJointQuatsToJointMats(napi_env env, napi_callback_info info) {
    Call call;
    int n;
    if (!call_begin(&call, env, info, 3) || !get_array(&call, 0, "mats", napi_float32_array, true) ||
        !get_array(&call, 1, "quats", napi_float32_array, false) || !get_count(&call, 2, &n) ||
        !need(&call, 0, n, MAT_FLOATS) || !need(&call, 1, n, QUAT_FLOATS) || !call_copy_in(&call)) {
        return NULL;
    }
    oracle_ConvertJointQuatsToJointMats(floats(&call, 0), floats(&call, 1), n);
    return call_finish(&call);
}

/* (quats: Float32Array, mats: Float32Array, n: number) */
static napi_value ConvertJointMatsToJointQuats(napi_env env, napi_callback_info info) {
    Call call;
    int n;
    if (!call_begin(&call, env, info, 3) || !get_array(&call, 0, "quats", napi_float32_array, true) ||
        !get_array(&call, 1, "mats", napi_float32_array, false) || !get_count(&call, 2, &n) ||
        !need(&call, 0, n, QUAT_FLOATS) || !need(&call, 1, n, MAT_FLOATS) || !call_copy_in(&call)) {
        return NULL;
    }
    oracle_ConvertJointMatsToJointQuats(floats(&call, 0), floats(&call, 1), n);
    return call_finish(&call);
}

typedef void (*SkeletonFn)(float*, const int*, int, int);

/* (mats: Float32Array, parents: Int32Array, first: number, last: number), both ends included;
   first > last is an empty range. A parent outside mats is refused where the listing would read it. */
static napi_value skeleton(napi_env env, napi_callback_info info, SkeletonFn listing) {
    Call call;
    int first, last;
    if (!call_begin(&call, env, info, 4) || !get_array(&call, 0, "mats", napi_float32_array, true) ||
        !get_array(&call, 1, "parents", napi_int32_array, false) || !get_int(&call, 2, "first", &first) ||
        !get_int(&call, 3, "last", &last)) {
        return NULL;
    }
    if (first <= last) {
        if (first < 0) {
            fail_range(env, "first", "must not be negative");
            return NULL;
        }
        size_t joints = call.buffers[0].count / MAT_FLOATS;
        if ((size_t)last >= joints || (size_t)last >= call.buffers[1].count) {
            fail_range(env, "last", "is outside mats or parents");
            return NULL;
        }
        if (!indices_inside(&call, 1, first, last, joints)) {
            return NULL;
        }
    }
    if (!call_copy_in(&call)) {
        return NULL;
    }
    listing(floats(&call, 0), ints(&call, 1), first, last);
    return call_finish(&call);
}

static napi_value TransformSkeleton(napi_env env, napi_callback_info info) {
    return skeleton(env, info, oracle_TransformSkeleton);
}

static napi_value UntransformSkeleton(napi_env env, napi_callback_info info) {
    return skeleton(env, info, oracle_UntransformSkeleton);
}

/* (result: Float32Array, j1: Float32Array, j2: Float32Array, n: number) */
static napi_value TransformJoints(napi_env env, napi_callback_info info) {
    Call call;
    int n;
    if (!call_begin(&call, env, info, 4) || !get_array(&call, 0, "result", napi_float32_array, true) ||
        !get_array(&call, 1, "j1", napi_float32_array, false) ||
        !get_array(&call, 2, "j2", napi_float32_array, false) || !get_count(&call, 3, &n) ||
        !need(&call, 0, n, MAT_FLOATS) || !need(&call, 1, n, MAT_FLOATS) || !need(&call, 2, n, MAT_FLOATS) ||
        !call_copy_in(&call)) {
        return NULL;
    }
    oracle_TransformJoints(floats(&call, 0), floats(&call, 1), floats(&call, 2), n);
    return call_finish(&call);
}

typedef void (*OneOperandFn)(float*, const float*);
typedef void (*TwoOperandsFn)(float*, const float*, const float*);

/* (result: Float32Array, x: Float32Array), four numbers after four: the rest of a list is not touched. */
static napi_value of_one(napi_env env, napi_callback_info info, OneOperandFn listing) {
    Call call;
    if (!call_begin(&call, env, info, 2) || !get_array(&call, 0, "result", napi_float32_array, true) ||
        !get_array(&call, 1, "x", napi_float32_array, false)) {
        return NULL;
    }
    const size_t n = call.buffers[0].count & ~(size_t)3;
    if (!need(&call, 1, (int)n, 1) || !call_copy_in(&call)) {
        return NULL;
    }
    for (size_t i = 0; i < n; i += 4) {
        listing(floats(&call, 0) + i, floats(&call, 1) + i);
    }
    return call_finish(&call);
}

/* (result: Float32Array, y: Float32Array, x: Float32Array), the same. */
static napi_value of_two(napi_env env, napi_callback_info info, TwoOperandsFn listing) {
    Call call;
    if (!call_begin(&call, env, info, 3) || !get_array(&call, 0, "result", napi_float32_array, true) ||
        !get_array(&call, 1, "y", napi_float32_array, false) || !get_array(&call, 2, "x", napi_float32_array, false)) {
        return NULL;
    }
    const size_t n = call.buffers[0].count & ~(size_t)3;
    if (!need(&call, 1, (int)n, 1) || !need(&call, 2, (int)n, 1) || !call_copy_in(&call)) {
        return NULL;
    }
    for (size_t i = 0; i < n; i += 4) {
        listing(floats(&call, 0) + i, floats(&call, 1) + i, floats(&call, 2) + i);
    }
    return call_finish(&call);
}

static napi_value ReciprocalSqrt(napi_env env, napi_callback_info info) {
    return of_one(env, info, oracle_ReciprocalSqrt4);
}

static napi_value SinZeroHalfPI(napi_env env, napi_callback_info info) {
    return of_one(env, info, oracle_SinZeroHalfPI4);
}

static napi_value ATanPositive(napi_env env, napi_callback_info info) { return of_two(env, info, oracle_ATanPositive4); }

static napi_value ATanPositiveDivps(napi_env env, napi_callback_info info) {
    return of_two(env, info, oracle_ATanPositiveDivps4);
}

NAPI_MODULE_INIT() {
    static const struct {
        const char* name;
        napi_callback function;
    } functions[] = {
        {"slerpJoints", SlerpJoints},
        {"lerpJoints", LerpJoints},
        {"convertJointQuatsToJointMats", ConvertJointQuatsToJointMats},
        {"convertJointMatsToJointQuats", ConvertJointMatsToJointQuats},
        {"transformSkeleton", TransformSkeleton},
        {"untransformSkeleton", UntransformSkeleton},
        {"transformJoints", TransformJoints},
        {"reciprocalSqrt", ReciprocalSqrt},
        {"sinZeroHalfPI", SinZeroHalfPI},
        {"atanPositive", ATanPositive},
        {"atanPositiveDivps", ATanPositiveDivps},
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        napi_value function;
        if (napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].function, NULL, &function) !=
                napi_ok ||
            napi_set_named_property(env, exports, functions[i].name, function) != napi_ok) {
            napi_throw_error(env, NULL, "the oracle could not export its functions");
            return NULL;
        }
    }
    return exports;
}
