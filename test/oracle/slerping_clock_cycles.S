/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
    Slerping Clock Cycles, J.M.P. van Waveren, id Software, 2005: the listings of section 6, appendices A and B.

    SSE Optimized Spherical Linear Interpolation between Quaternions
    SSE Optimized Linear Interpolation between Quaternions
    Copyright (C) 2005 Id Software, Inc.
    Written by J.M.P. van Waveren

    This code is free software; you can redistribute it and/or
    modify it under the terms of the GNU Lesser General Public
    License as published by the Free Software Foundation; either
    version 2.1 of the License, or (at your option) any later version.

    This code is distributed in the hope that it will be useful,
    but WITHOUT ANY WARRANTY; without even the implied warranty of
    MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the GNU
    Lesser General Public License for more details.
*/
/*
    A transcription for x86-64, with repairs to the scan marked "repaired:"; see README.md.
*/

#include "listing.inc"

    .section .rodata
ALIGN4_INIT1_DWORD( SIMD_SP_signBit, IEEE_SP_SIGN )
ALIGN4_INIT1_FLOAT( SIMD_SP_one, 1.0 )
ALIGN4_INIT1_DWORD( SIMD_SP_halfPI, 0x3fc90fdb )                // (float) ( M_PI/2 )
ALIGN4_INIT1_FLOAT( SIMD_SP_rsqrt_c0, 3.0 )
ALIGN4_INIT1_FLOAT( SIMD_SP_rsqrt_c1, -0.5 )
ALIGN4_INIT1_FLOAT( SIMD_SP_sin_c0, -2.39e-08 )
ALIGN4_INIT1_FLOAT( SIMD_SP_sin_c1, 2.7526e-06 )
ALIGN4_INIT1_FLOAT( SIMD_SP_sin_c2, -1.98409e-04 )
ALIGN4_INIT1_FLOAT( SIMD_SP_sin_c3, 8.3333315e-03 )             # repaired: papers-repairs.md Choices (8.333315e-03 as scanned)
ALIGN4_INIT1_FLOAT( SIMD_SP_sin_c4, -1.6666666664e-01 )
ALIGN4_INIT1_FLOAT( SIMD_SP_atan_c0, 0.0028662257 )
ALIGN4_INIT1_FLOAT( SIMD_SP_atan_c1, -0.0161657367 )
ALIGN4_INIT1_FLOAT( SIMD_SP_atan_c2, 0.0429096138 )
ALIGN4_INIT1_FLOAT( SIMD_SP_atan_c3, -0.0752896400 )
ALIGN4_INIT1_FLOAT( SIMD_SP_atan_c4, 0.1065626393 )
ALIGN4_INIT1_FLOAT( SIMD_SP_atan_c5, -0.1420889944 )
ALIGN4_INIT1_FLOAT( SIMD_SP_atan_c6, 0.1999355085 )
ALIGN4_INIT1_FLOAT( SIMD_SP_atan_c7, -0.3333314528 )
ALIGN4_INIT1_FLOAT( SIMD_SP_zero, 0.0 )                         # repaired: papers-repairs.md Choices (used, not defined)
ALIGN4_INIT1_FLOAT( SIMD_SP_tiny, 1e-10 )                       # repaired: papers-repairs.md Choices (used, not defined)
ALIGN4_INIT1_DWORD( SIMD_SP_absMask, 0x7FFFFFFF )               # repaired: papers-repairs.md Choices (used, not defined)

    .text

/* The opcodes stand shuffled among the comments in the scan. repaired: papers-repairs.md S-A */
#define TRANSPOSE_4x4( reg0, reg1, reg2, reg3, reg4 )                               \
    movaps      reg4, reg2;                                 /* reg4 =  8,  9, 10, 11 */ \
    unpcklps    reg2, reg3;                                 /* reg2 =  8, 12,  9, 13 */ \
    unpckhps    reg4, reg3;                                 /* reg4 = 10, 14, 11, 15 */ \
    movaps      reg3, reg0;                                 /* reg3 =  0,  1,  2,  3 */ \
    unpcklps    reg0, reg1;                                 /* reg0 =  0,  4,  1,  5 */ \
    unpckhps    reg3, reg1;                                 /* reg3 =  2,  6,  3,  7 */ \
    movaps      reg1, reg0;                                 /* reg1 =  0,  4,  1,  5 */ \
    shufps      reg0, reg2, R_SHUFFLE_PS( 0, 1, 0, 1 );     /* reg0 =  0,  4,  8, 12 */ \
    shufps      reg1, reg2, R_SHUFFLE_PS( 2, 3, 2, 3 );     /* reg1 =  1,  5,  9, 13 */ \
    movaps      reg2, reg3;                                 /* reg2 =  2,  6,  3,  7 */ \
    shufps      reg2, reg4, R_SHUFFLE_PS( 0, 1, 0, 1 );     /* reg2 =  2,  6, 10, 14 */ \
    shufps      reg3, reg4, R_SHUFFLE_PS( 2, 3, 2, 3 )      /* reg3 =  3,  7, 11, 15 */

/* ==========================================================================
   Section 6: the listings of single functions, for four numbers
   void ReciprocalSqrt4( float *result, const float *x )
   void SinZeroHalfPI4( float *result, const float *a )
   void ATanPositive4( float *result, const float *y, const float *x ), with rcpps
   void ATanPositiveDivps4( float *result, const float *y, const float *x )
   ========================================================================== */

LISTING_BEGIN oracle_ReciprocalSqrt4, 0
    movups      xmm0, [rsi]

    rsqrtps     xmm1, xmm0                                  # repaired: papers-repairs.md S-6 (xmm0, xmm1)
    mulps       xmm0, xmm1
    mulps       xmm0, xmm1
    subps       xmm0, SIMD_SP_rsqrt_c0
    mulps       xmm1, SIMD_SP_rsqrt_c1
    mulps       xmm0, xmm1

    movups      [rdi], xmm0
LISTING_END oracle_ReciprocalSqrt4

LISTING_BEGIN oracle_SinZeroHalfPI4, 0
    movups      xmm0, [rsi]

    movaps      xmm1, xmm0
    mulps       xmm1, xmm1
    movaps      xmm2, SIMD_SP_sin_c0
    mulps       xmm2, xmm1
    addps       xmm2, SIMD_SP_sin_c1
    mulps       xmm2, xmm1
    addps       xmm2, SIMD_SP_sin_c2
    mulps       xmm2, xmm1
    addps       xmm2, SIMD_SP_sin_c3
    mulps       xmm2, xmm1
    addps       xmm2, SIMD_SP_sin_c4
    mulps       xmm2, xmm1
    addps       xmm2, SIMD_SP_one
    mulps       xmm2, xmm0

    movups      [rdi], xmm2
LISTING_END oracle_SinZeroHalfPI4

#define ATAN_POLYNOMIAL     \
    movaps      xmm1, xmm0; \
    mulps       xmm1, xmm1; \
    movaps      xmm2, SIMD_SP_atan_c0; \
    mulps       xmm2, xmm1; \
    addps       xmm2, SIMD_SP_atan_c1; \
    mulps       xmm2, xmm1; \
    addps       xmm2, SIMD_SP_atan_c2; \
    mulps       xmm2, xmm1; \
    addps       xmm2, SIMD_SP_atan_c3; \
    mulps       xmm2, xmm1; \
    addps       xmm2, SIMD_SP_atan_c4; \
    mulps       xmm2, xmm1; \
    addps       xmm2, SIMD_SP_atan_c5; \
    mulps       xmm2, xmm1; \
    addps       xmm2, SIMD_SP_atan_c6; \
    mulps       xmm2, xmm1; \
    addps       xmm2, SIMD_SP_atan_c7; \
    mulps       xmm2, xmm1; \
    addps       xmm2, SIMD_SP_one; \
    mulps       xmm2, xmm0; \
    addps       xmm2, xmm3

LISTING_BEGIN oracle_ATanPositive4, 0
    movups      xmm1, [rsi]
    movups      xmm0, [rdx]

    movaps      xmm3, xmm0
    minps       xmm0, xmm1                                  // xmm0 = (y > x) ? x : y
    maxps       xmm1, xmm3                                  // xmm1 = (y > x) ? y : x
    cmpeqps     xmm3, xmm0                                  // xmm3 = (y > x) ? 0xFFFFFFFF : 0x00000000
    rcpps       xmm2, xmm1
    mulps       xmm1, xmm2
    mulps       xmm1, xmm2
    addps       xmm2, xmm2
    subps       xmm2, xmm1                                  // xmm2 = (y > x) ? 1 / y : 1 / x
    mulps       xmm0, xmm2                                  // xmm0 = (y > x) ? x / y : y / x
    movaps      xmm1, xmm3
    andps       xmm1, SIMD_SP_signBit                       // xmm1 = (y > x) ? 0x80000000 : 0x00000000
    xorps       xmm0, xmm1                                  # repaired: papers-repairs.md S-6
    andps       xmm3, SIMD_SP_halfPI                        # repaired: papers-repairs.md S-6
    ATAN_POLYNOMIAL

    movups      [rdi], xmm2
LISTING_END oracle_ATanPositive4

LISTING_BEGIN oracle_ATanPositiveDivps4, 0
    movups      xmm1, [rsi]
    movups      xmm0, [rdx]

    movaps      xmm3, xmm0
    minps       xmm0, xmm1                                  // xmm0 = (y > x) ? x : y
    maxps       xmm1, xmm3                                  // xmm1 = (y > x) ? y : x
    cmpeqps     xmm3, xmm0                                  // xmm3 = (y > x) ? 0xFFFFFFFF : 0x00000000
    divps       xmm0, xmm1                                  // xmm0 = (y > x) ? x / y : y / x
    movaps      xmm1, xmm3
    andps       xmm1, SIMD_SP_signBit                       // xmm1 = (y > x) ? 0x80000000 : 0x00000000
    xorps       xmm0, xmm1                                  // xmm0 = (y > x) ? -x / y : y / x
    andps       xmm3, SIMD_SP_halfPI                        // xmm3 = (y > x) ? PI/2 : 0.0f
    ATAN_POLYNOMIAL                                         // not in this listing, which stops here

    movups      [rdi], xmm2
LISTING_END oracle_ATanPositiveDivps4

#undef ATAN_POLYNOMIAL

/* The arguments and the ALIGN16 locals of both routines. */
#define joints          qword ptr [rbp-8]
#define blendJoints     qword ptr [rbp-16]
#define index           qword ptr [rbp-24]
#define lerp            dword ptr [rbp-28]
#define numJoints       dword ptr [rbp-32]
#define a0              qword ptr [rbp-40]
#define a1              qword ptr [rbp-48]
#define a2              qword ptr [rbp-56]
#define a3              qword ptr [rbp-64]
#define jointQuat0      [rbp-80]
#define jointQuat1      [rbp-96]
#define jointQuat2      [rbp-112]
#define jointQuat3      [rbp-128]
#define blendQuat0      [rbp-144]
#define blendQuat1      [rbp-160]
#define blendQuat2      [rbp-176]
#define blendQuat3      [rbp-192]
#define scaledLerp      dword ptr [rbp-208]

/* ==========================================================================
   Appendix A
   void SlerpJoints( JointQuat *joints, const JointQuat *blendJoints, const float lerp, const int *index,
                     const int numJoints )
   ========================================================================== */

#define loopCopy        .LSlerpJoints_loopCopy
#define lerpJoints      .LSlerpJoints_lerpJoints
#define loopJoint4      .LSlerpJoints_loopJoint4
#define loopJoint1      .LSlerpJoints_loopJoint1
#define done4           .LSlerpJoints_done4
#define done1           .LSlerpJoints_done1

LISTING_BEGIN oracle_SlerpJoints, 208
    mov         joints, rdi
    mov         blendJoints, rsi
    movss       lerp, xmm0
    mov         index, rdx
    mov         numJoints, ecx

    movss       xmm7, lerp
    cmpnless    xmm7, SIMD_SP_zero
    movmskps    ecx, xmm7
    test        ecx, 1
    jz          done1

    movsxd      rax, numJoints
    shl         rax, 2
    mov         rsi, joints
    mov         rdi, blendJoints
    mov         rdx, index
    add         rdx, rax
    neg         rax
    jz          done1

    movss       xmm7, lerp
    cmpnltss    xmm7, SIMD_SP_one
    movmskps    ecx, xmm7
    test        ecx, 1
    jz          lerpJoints

loopCopy:

    movsxd      rcx, dword ptr [rdx+rax]
    shl         rcx, JOINTQUAT_SIZE_SHIFT

    add         rax, 1*4

    movaps      xmm0, [rdi+rcx+JOINTQUAT_Q_OFFSET]
    movaps      xmm1, [rdi+rcx+JOINTQUAT_T_OFFSET]
    movaps      [rsi+rcx+JOINTQUAT_Q_OFFSET], xmm0
    movaps      [rsi+rcx+JOINTQUAT_T_OFFSET], xmm1

    jl          loopCopy

    jmp         done1

lerpJoints:

    add         rax, 4*4
    jge         done4                                       # repaired: papers-repairs.md S-A

loopJoint4:

    movss       xmm3, lerp
    shufps      xmm3, xmm3, R_SHUFFLE_PS( 0, 0, 0, 0 )

    movsxd      rcx, dword ptr [rdx+rax-4*4]
    shl         rcx, JOINTQUAT_SIZE_SHIFT
    mov         a0, rcx

    // lerp first translations
    movaps      xmm7, [rdi+rcx+JOINTQUAT_T_OFFSET]
    subps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]
    mulps       xmm7, xmm3
    addps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]
    movaps      [rsi+rcx+JOINTQUAT_T_OFFSET], xmm7

    // load first quaternions
    movaps      xmm0, [rsi+rcx+JOINTQUAT_Q_OFFSET]
    movaps      xmm4, [rdi+rcx+JOINTQUAT_Q_OFFSET]

    movsxd      rcx, dword ptr [rdx+rax-3*4]
    shl         rcx, JOINTQUAT_SIZE_SHIFT
    mov         a1, rcx                                     # repaired: papers-repairs.md S-A

    // lerp second translations
    movaps      xmm7, [rdi+rcx+JOINTQUAT_T_OFFSET]
    subps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]
    mulps       xmm7, xmm3
    addps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]
    movaps      [rsi+rcx+JOINTQUAT_T_OFFSET], xmm7

    // load second quaternions
    movaps      xmm1, [rsi+rcx+JOINTQUAT_Q_OFFSET]
    movaps      xmm5, [rdi+rcx+JOINTQUAT_Q_OFFSET]

    movsxd      rcx, dword ptr [rdx+rax-2*4]
    shl         rcx, JOINTQUAT_SIZE_SHIFT
    mov         a2, rcx

    // lerp third translations
    movaps      xmm7, [rdi+rcx+JOINTQUAT_T_OFFSET]
    subps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]
    mulps       xmm7, xmm3
    addps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]
    movaps      [rsi+rcx+JOINTQUAT_T_OFFSET], xmm7

    // load third quaternions
    movaps      xmm2, [rsi+rcx+JOINTQUAT_Q_OFFSET]
    movaps      xmm6, [rdi+rcx+JOINTQUAT_Q_OFFSET]

    movsxd      rcx, dword ptr [rdx+rax-1*4]
    shl         rcx, JOINTQUAT_SIZE_SHIFT
    mov         a3, rcx

    // lerp fourth translations
    movaps      xmm7, [rdi+rcx+JOINTQUAT_T_OFFSET]
    subps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]
    mulps       xmm7, xmm3
    addps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]          # repaired: papers-repairs.md S-A
    movaps      [rsi+rcx+JOINTQUAT_T_OFFSET], xmm7          # repaired: papers-repairs.md S-A

    // load fourth quaternions
    movaps      xmm3, [rsi+rcx+JOINTQUAT_Q_OFFSET]

    TRANSPOSE_4x4( xmm0, xmm1, xmm2, xmm3, xmm7 )

    movaps      jointQuat0, xmm0
    movaps      jointQuat1, xmm1
    movaps      jointQuat2, xmm2
    movaps      jointQuat3, xmm3

    movaps      xmm7, [rdi+rcx+JOINTQUAT_Q_OFFSET]

    TRANSPOSE_4x4( xmm4, xmm5, xmm6, xmm7, xmm3 )

    movaps      blendQuat0, xmm4
    movaps      blendQuat1, xmm5
    movaps      blendQuat2, xmm6
    movaps      blendQuat3, xmm7

    // lerp quaternions
    mulps       xmm0, xmm4
    mulps       xmm1, xmm5
    addps       xmm0, xmm1
    mulps       xmm2, xmm6
    addps       xmm0, xmm2
    movaps      xmm3, jointQuat3
    mulps       xmm3, blendQuat3
    addps       xmm0, xmm3                                  // xmm0 = cosom

    movaps      xmm1, xmm0
    movaps      xmm2, xmm0
    andps       xmm1, SIMD_SP_signBit                       // xmm1 = signBit
    xorps       xmm0, xmm1
    mulps       xmm2, xmm2

    xorps       xmm4, xmm4
    movaps      xmm3, SIMD_SP_one
    subps       xmm3, xmm2                                  // xmm3 = scale0 (sic: sin^2)
    cmpeqps     xmm4, xmm3
    andps       xmm4, SIMD_SP_tiny                          // if values are zero replace them with a tiny number
    andps       xmm3, SIMD_SP_absMask                       // make sure the values are positive
    orps        xmm3, xmm4

    movaps      xmm2, xmm3
    rsqrtps     xmm4, xmm2
    mulps       xmm2, xmm4
    mulps       xmm2, xmm4
    subps       xmm2, SIMD_SP_rsqrt_c0
    mulps       xmm4, SIMD_SP_rsqrt_c1
    mulps       xmm2, xmm4
    mulps       xmm3, xmm2                                  // xmm3 = sqrt( scale0 )

    // omega0 = atan2( xmm3, xmm0 )
    movaps      xmm4, xmm0
    minps       xmm0, xmm3
    maxps       xmm3, xmm4
    cmpeqps     xmm4, xmm0                                  # repaired: papers-repairs.md S-A
    rcpps       xmm5, xmm3
    mulps       xmm3, xmm5
    mulps       xmm3, xmm5                                  # repaired: papers-repairs.md S-A
    addps       xmm5, xmm5
    subps       xmm5, xmm3                                  // xmm5 = 1 / y or 1 / x
    mulps       xmm0, xmm5                                  // xmm0 = x / y or y / x
    movaps      xmm3, xmm4                                  # repaired: papers-repairs.md S-A
    andps       xmm3, SIMD_SP_signBit
    xorps       xmm0, xmm3                                  // xmm0 = -x / y or y / x  # repaired: papers-repairs.md S-A
    andps       xmm4, SIMD_SP_halfPI                        // xmm4 = HALF_PI or 0.0f
    movaps      xmm3, xmm0
    mulps       xmm3, xmm3                                  // xmm3 = s
    movaps      xmm5, SIMD_SP_atan_c0                       # repaired: papers-repairs.md S-A
    mulps       xmm5, xmm3
    addps       xmm5, SIMD_SP_atan_c1
    mulps       xmm5, xmm3                                  # repaired: papers-repairs.md S-A
    addps       xmm5, SIMD_SP_atan_c2
    mulps       xmm5, xmm3
    addps       xmm5, SIMD_SP_atan_c3                       # repaired: papers-repairs.md S-A
    mulps       xmm5, xmm3
    addps       xmm5, SIMD_SP_atan_c4
    mulps       xmm5, xmm3                                  # repaired: papers-repairs.md S-A
    addps       xmm5, SIMD_SP_atan_c5
    mulps       xmm5, xmm3
    addps       xmm5, SIMD_SP_atan_c6                       # repaired: papers-repairs.md S-A
    mulps       xmm5, xmm3
    addps       xmm5, SIMD_SP_atan_c7
    mulps       xmm5, xmm3                                  # repaired: papers-repairs.md S-A
    addps       xmm5, SIMD_SP_one
    mulps       xmm5, xmm0
    addps       xmm5, xmm4                                  // xmm5 = omega0  # repaired: papers-repairs.md S-A

    movss       xmm6, lerp                                  // xmm6 = lerp  # repaired: papers-repairs.md S-A
    shufps      xmm6, xmm6, R_SHUFFLE_PS( 0, 0, 0, 0 )      # repaired: papers-repairs.md S-A
    mulps       xmm6, xmm5                                  // xmm6 = omega1  # repaired: papers-repairs.md S-A
    subps       xmm5, xmm6                                  // xmm5 = omega0

    // scale0 = sin( xmm5 ) * xmm2
    // scale1 = sin( xmm6 ) * xmm2
    movaps      xmm3, xmm5                                  # repaired: papers-repairs.md S-A
    movaps      xmm7, xmm6                                  # repaired: papers-repairs.md S-A
    mulps       xmm3, xmm3                                  # repaired: papers-repairs.md S-A
    mulps       xmm7, xmm7                                  # repaired: papers-repairs.md S-A
    movaps      xmm4, SIMD_SP_sin_c0                        # repaired: papers-repairs.md S-A
    movaps      xmm0, SIMD_SP_sin_c0                        # repaired: papers-repairs.md S-A
    mulps       xmm4, xmm3                                  # repaired: papers-repairs.md S-A
    mulps       xmm0, xmm7                                  # repaired: papers-repairs.md S-A
    addps       xmm4, SIMD_SP_sin_c1                        # repaired: papers-repairs.md S-A
    addps       xmm0, SIMD_SP_sin_c1                        # repaired: papers-repairs.md S-A
    mulps       xmm4, xmm3                                  # repaired: papers-repairs.md S-A
    mulps       xmm0, xmm7                                  # repaired: papers-repairs.md S-A
    addps       xmm4, SIMD_SP_sin_c2                        # repaired: papers-repairs.md S-A
    addps       xmm0, SIMD_SP_sin_c2                        # repaired: papers-repairs.md S-A
    mulps       xmm4, xmm3                                  # repaired: papers-repairs.md S-A
    mulps       xmm0, xmm7                                  # repaired: papers-repairs.md S-A
    addps       xmm4, SIMD_SP_sin_c3                        # repaired: papers-repairs.md S-A
    addps       xmm0, SIMD_SP_sin_c3                        # repaired: papers-repairs.md S-A
    mulps       xmm4, xmm3                                  # repaired: papers-repairs.md S-A
    mulps       xmm0, xmm7                                  # repaired: papers-repairs.md S-A
    addps       xmm4, SIMD_SP_sin_c4                        # repaired: papers-repairs.md S-A
    addps       xmm0, SIMD_SP_sin_c4                        # repaired: papers-repairs.md S-A
    mulps       xmm4, xmm3                                  # repaired: papers-repairs.md S-A
    mulps       xmm0, xmm7                                  # repaired: papers-repairs.md S-A
    addps       xmm4, SIMD_SP_one                           # repaired: papers-repairs.md S-A
    addps       xmm0, SIMD_SP_one                           # repaired: papers-repairs.md S-A
    mulps       xmm5, xmm4                                  # repaired: papers-repairs.md S-A
    mulps       xmm6, xmm0                                  # repaired: papers-repairs.md S-A
    mulps       xmm5, xmm2                                  // xmm5 = scale0  # repaired: papers-repairs.md S-A
    mulps       xmm6, xmm2                                  // xmm6 = scale1  # repaired: papers-repairs.md S-A

    xorps       xmm6, xmm1                                  # repaired: papers-repairs.md S-A

    movaps      xmm0, jointQuat0                            # repaired: papers-repairs.md S-A
    mulps       xmm0, xmm5                                  # repaired: papers-repairs.md S-A
    movaps      xmm1, blendQuat0                            # repaired: papers-repairs.md S-A
    mulps       xmm1, xmm6                                  # repaired: papers-repairs.md S-A
    addps       xmm0, xmm1                                  # repaired: papers-repairs.md S-A

    movaps      xmm1, jointQuat1                            # repaired: papers-repairs.md S-A
    mulps       xmm1, xmm5                                  # repaired: papers-repairs.md S-A
    movaps      xmm2, blendQuat1
    mulps       xmm2, xmm6
    addps       xmm1, xmm2

    movaps      xmm2, jointQuat2
    mulps       xmm2, xmm5
    movaps      xmm3, blendQuat2
    mulps       xmm3, xmm6
    addps       xmm2, xmm3

    movaps      xmm3, jointQuat3
    mulps       xmm3, xmm5
    movaps      xmm4, blendQuat3
    mulps       xmm4, xmm6
    addps       xmm3, xmm4

    add         rax, 4*4

    // transpose xmm0, xmm1, xmm2, xmm3 to memory
    movaps      xmm7, xmm0
    movaps      xmm6, xmm2

    unpcklps    xmm0, xmm1
    unpcklps    xmm2, xmm3

    mov         rcx, a0
    movlps      [rsi+rcx+JOINTQUAT_Q_OFFSET+0], xmm0
    movlps      [rsi+rcx+JOINTQUAT_Q_OFFSET+8], xmm2

    mov         rcx, a1                                     # repaired: papers-repairs.md S-A
    movhps      [rsi+rcx+JOINTQUAT_Q_OFFSET+0], xmm0
    movhps      [rsi+rcx+JOINTQUAT_Q_OFFSET+8], xmm2

    unpckhps    xmm7, xmm1
    unpckhps    xmm6, xmm3

    mov         rcx, a2
    movlps      [rsi+rcx+JOINTQUAT_Q_OFFSET+0], xmm7
    movlps      [rsi+rcx+JOINTQUAT_Q_OFFSET+8], xmm6

    mov         rcx, a3
    movhps      [rsi+rcx+JOINTQUAT_Q_OFFSET+0], xmm7
    movhps      [rsi+rcx+JOINTQUAT_Q_OFFSET+8], xmm6

    jle         loopJoint4

done4:
    sub         rax, 4*4
    jz          done1                                       # repaired: papers-repairs.md S-A

loopJoint1:

    movss       xmm3, lerp
    shufps      xmm3, xmm3, R_SHUFFLE_PS( 0, 0, 0, 0 )

    movsxd      rcx, dword ptr [rdx+rax]
    shl         rcx, JOINTQUAT_SIZE_SHIFT

    // lerp first translations
    movaps      xmm7, [rdi+rcx+JOINTQUAT_T_OFFSET]
    subps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]
    mulps       xmm7, xmm3
    addps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]
    movaps      [rsi+rcx+JOINTQUAT_T_OFFSET], xmm7

    // load first quaternions
    movaps      xmm0, [rsi+rcx+JOINTQUAT_Q_OFFSET]
    movaps      xmm1, [rdi+rcx+JOINTQUAT_Q_OFFSET]

    movaps      jointQuat0, xmm0
    movaps      blendQuat0, xmm1

    // lerp quaternions
    mulps       xmm1, xmm0
    movhlps     xmm0, xmm1
    addps       xmm1, xmm0
    movaps      xmm0, xmm1
    shufps      xmm0, xmm0, R_SHUFFLE_PS( 1, 0, 2, 3 )
    addss       xmm0, xmm1                                  // xmm0 = cosom

    movss       xmm1, xmm0
    movss       xmm2, xmm0
    andps       xmm1, SIMD_SP_signBit                       // xmm1 = signBit
    xorps       xmm0, xmm1                                  # repaired: papers-repairs.md S-A
    mulss       xmm2, xmm2

    xorps       xmm4, xmm4                                  # repaired: papers-repairs.md S-A
    movss       xmm3, SIMD_SP_one
    subss       xmm3, xmm2                                  // xmm3 = scale0 (sic: sin^2)
    cmpeqss     xmm4, xmm3                                  # repaired: papers-repairs.md S-A
    andps       xmm4, SIMD_SP_tiny                          // if values are zero replace them with a tiny number
    andps       xmm3, SIMD_SP_absMask                       // make sure the values are positive  # repaired: papers-repairs.md S-A
    orps        xmm3, xmm4

    movss       xmm2, xmm3
    rsqrtss     xmm4, xmm2                                  # repaired: papers-repairs.md S-A
    mulss       xmm2, xmm4                                  # repaired: papers-repairs.md S-A
    mulss       xmm2, xmm4
    subss       xmm2, SIMD_SP_rsqrt_c0
    mulss       xmm4, SIMD_SP_rsqrt_c1                      # repaired: papers-repairs.md S-A
    mulss       xmm2, xmm4                                  # repaired: papers-repairs.md S-A
    mulss       xmm3, xmm2                                  // xmm3 = sqrt( scale0 )

    // omega0 = atan2( xmm3, xmm0 )
    movss       xmm4, xmm0                                  # repaired: papers-repairs.md S-A
    minss       xmm0, xmm3                                  # repaired: papers-repairs.md S-A
    maxss       xmm3, xmm4
    cmpeqss     xmm4, xmm0                                  # repaired: papers-repairs.md S-A
    rcpss       xmm5, xmm3                                  # repaired: papers-repairs.md S-A
    mulss       xmm3, xmm5
    mulss       xmm3, xmm5                                  # repaired: papers-repairs.md S-A
    addss       xmm5, xmm5                                  # repaired: papers-repairs.md S-A
    subss       xmm5, xmm3                                  // xmm5 = 1 / y or 1 / x
    mulss       xmm0, xmm5                                  // xmm0 = x / y or y / x
    movss       xmm3, xmm4                                  # repaired: papers-repairs.md S-A
    andps       xmm3, SIMD_SP_signBit                       # repaired: papers-repairs.md S-A
    xorps       xmm0, xmm3                                  // xmm0 = -x / y or y / x
    andps       xmm4, SIMD_SP_halfPI                        // xmm4 = HALF_PI or 0.0f
    movss       xmm3, xmm0                                  # repaired: papers-repairs.md S-A
    mulss       xmm3, xmm3                                  // xmm3 = s  # repaired: papers-repairs.md S-A
    movss       xmm5, SIMD_SP_atan_c0                       # repaired: papers-repairs.md S-A
    mulss       xmm5, xmm3
    addss       xmm5, SIMD_SP_atan_c1
    mulss       xmm5, xmm3                                  # repaired: papers-repairs.md S-A
    addss       xmm5, SIMD_SP_atan_c2                       # repaired: papers-repairs.md S-A
    mulss       xmm5, xmm3
    addss       xmm5, SIMD_SP_atan_c3
    mulss       xmm5, xmm3                                  # repaired: papers-repairs.md S-A
    addss       xmm5, SIMD_SP_atan_c4                       # repaired: papers-repairs.md S-A
    mulss       xmm5, xmm3                                  # repaired: papers-repairs.md S-A
    addss       xmm5, SIMD_SP_atan_c5
    mulss       xmm5, xmm3
    addss       xmm5, SIMD_SP_atan_c6
    mulss       xmm5, xmm3                                  # repaired: papers-repairs.md S-A
    addss       xmm5, SIMD_SP_atan_c7                       # repaired: papers-repairs.md S-A
    mulss       xmm5, xmm3
    addss       xmm5, SIMD_SP_one                           # repaired: papers-repairs.md S-A
    mulss       xmm5, xmm0                                  # repaired: papers-repairs.md S-A
    addss       xmm5, xmm4                                  // xmm5 = omega0

    movss       xmm6, lerp                                  // xmm6 = lerp
    mulss       xmm6, xmm5                                  // xmm6 = omega1  # repaired: papers-repairs.md S-A
    subss       xmm5, xmm6                                  // xmm5 = omega0

    // scale0 = sin( xmm5 ) * xmm2
    // scale1 = sin( xmm6 ) * xmm2
    movss       xmm3, xmm5                                  # repaired: papers-repairs.md S-A
    movss       xmm7, xmm6
    mulss       xmm3, xmm3
    mulss       xmm7, xmm7                                  # repaired: papers-repairs.md S-A
    movss       xmm4, SIMD_SP_sin_c0                        # repaired: papers-repairs.md S-A
    movss       xmm0, SIMD_SP_sin_c0                        # repaired: papers-repairs.md S-A
    mulss       xmm4, xmm3
    mulss       xmm0, xmm7                                  # repaired: papers-repairs.md S-A
    addss       xmm4, SIMD_SP_sin_c1                        # repaired: papers-repairs.md S-A
    addss       xmm0, SIMD_SP_sin_c1
    mulss       xmm4, xmm3                                  # repaired: papers-repairs.md S-A
    mulss       xmm0, xmm7                                  # repaired: papers-repairs.md S-A
    addss       xmm4, SIMD_SP_sin_c2                        # repaired: papers-repairs.md S-A
    addss       xmm0, SIMD_SP_sin_c2                        # repaired: papers-repairs.md S-A
    mulss       xmm4, xmm3
    mulss       xmm0, xmm7                                  # repaired: papers-repairs.md S-A
    addss       xmm4, SIMD_SP_sin_c3
    addss       xmm0, SIMD_SP_sin_c3
    mulss       xmm4, xmm3
    mulss       xmm0, xmm7
    addss       xmm4, SIMD_SP_sin_c4
    addss       xmm0, SIMD_SP_sin_c4
    mulss       xmm4, xmm3
    mulss       xmm0, xmm7
    addss       xmm4, SIMD_SP_one
    addss       xmm0, SIMD_SP_one
    mulss       xmm5, xmm4
    mulss       xmm6, xmm0
    mulss       xmm5, xmm2                                  // xmm5 = scale0
    mulss       xmm6, xmm2                                  // xmm6 = scale1

    xorps       xmm6, xmm1

    shufps      xmm5, xmm5, R_SHUFFLE_PS( 0, 0, 0, 0 )
    mulps       xmm5, jointQuat0
    shufps      xmm6, xmm6, R_SHUFFLE_PS( 0, 0, 0, 0 )
    mulps       xmm6, blendQuat0

    addps       xmm5, xmm6

    movaps      [rsi+rcx+JOINTQUAT_Q_OFFSET], xmm5

    add         rax, 1*4
    jl          loopJoint1

done1:
LISTING_END oracle_SlerpJoints

#undef loopCopy
#undef lerpJoints
#undef loopJoint4
#undef loopJoint1
#undef done4
#undef done1

/* ==========================================================================
   Appendix B
   void LerpJoints( JointQuat *joints, const JointQuat *blendJoints, const float lerp, const int *index,
                    const int numJoints )
   ========================================================================== */

#define loopCopy        .LLerpJoints_loopCopy
#define lerpJoints      .LLerpJoints_lerpJoints
#define loopJoint4      .LLerpJoints_loopJoint4
#define loopJoint1      .LLerpJoints_loopJoint1
#define done4           .LLerpJoints_done4
#define done1           .LLerpJoints_done1

LISTING_BEGIN oracle_LerpJoints, 208
    mov         joints, rdi
    mov         blendJoints, rsi
    movss       lerp, xmm0
    mov         index, rdx
    mov         numJoints, ecx

    movss       xmm7, lerp
    cmpnless    xmm7, SIMD_SP_zero
    movmskps    ecx, xmm7
    test        ecx, 1
    jz          done1

    movsxd      rax, numJoints
    shl         rax, 2
    mov         rsi, joints
    mov         rdi, blendJoints
    mov         rdx, index
    add         rdx, rax
    neg         rax
    jz          done1

    movss       xmm7, lerp                                  # repaired: papers-repairs.md S-B
    cmpnltss    xmm7, SIMD_SP_one                           # repaired: papers-repairs.md S-B
    movmskps    ecx, xmm7                                   # repaired: papers-repairs.md S-B
    test        ecx, 1                                      # repaired: papers-repairs.md S-B
    jz          lerpJoints                                  # repaired: papers-repairs.md S-B

loopCopy:

    movsxd      rcx, dword ptr [rdx+rax]
    shl         rcx, JOINTQUAT_SIZE_SHIFT

    add         rax, 1*4

    movaps      xmm0, [rdi+rcx+JOINTQUAT_Q_OFFSET]
    movaps      xmm1, [rdi+rcx+JOINTQUAT_T_OFFSET]
    movaps      [rsi+rcx+JOINTQUAT_Q_OFFSET], xmm0
    movaps      [rsi+rcx+JOINTQUAT_T_OFFSET], xmm1

    jl          loopCopy

    jmp         done1

lerpJoints:

    movss       xmm7, lerp
    movss       xmm6, SIMD_SP_one                           # repaired: papers-repairs.md S-B
    subss       xmm6, xmm7                                  # repaired: papers-repairs.md S-B
    divss       xmm7, xmm6                                  # repaired: papers-repairs.md S-B
    movss       scaledLerp, xmm7                            # repaired: papers-repairs.md S-B

    add         rax, 4*4
    jge         done4

loopJoint4:

    movss       xmm3, lerp
    shufps      xmm3, xmm3, R_SHUFFLE_PS( 0, 0, 0, 0 )

    movsxd      rcx, dword ptr [rdx+rax-4*4]
    shl         rcx, JOINTQUAT_SIZE_SHIFT
    mov         a0, rcx

    // lerp first translations
    movaps      xmm7, [rdi+rcx+JOINTQUAT_T_OFFSET]
    subps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]
    mulps       xmm7, xmm3
    addps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]
    movaps      [rsi+rcx+JOINTQUAT_T_OFFSET], xmm7

    // load first quaternions
    movaps      xmm0, [rsi+rcx+JOINTQUAT_Q_OFFSET]
    movaps      xmm4, [rdi+rcx+JOINTQUAT_Q_OFFSET]

    movsxd      rcx, dword ptr [rdx+rax-3*4]
    shl         rcx, JOINTQUAT_SIZE_SHIFT
    mov         a1, rcx                                     # repaired: papers-repairs.md S-B

    // lerp second translations
    movaps      xmm7, [rdi+rcx+JOINTQUAT_T_OFFSET]
    subps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]
    mulps       xmm7, xmm3
    addps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]
    movaps      [rsi+rcx+JOINTQUAT_T_OFFSET], xmm7

    // load second quaternions
    movaps      xmm1, [rsi+rcx+JOINTQUAT_Q_OFFSET]
    movaps      xmm5, [rdi+rcx+JOINTQUAT_Q_OFFSET]

    movsxd      rcx, dword ptr [rdx+rax-2*4]
    shl         rcx, JOINTQUAT_SIZE_SHIFT
    mov         a2, rcx

    // lerp third translations
    movaps      xmm7, [rdi+rcx+JOINTQUAT_T_OFFSET]
    subps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]
    mulps       xmm7, xmm3
    addps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]
    movaps      [rsi+rcx+JOINTQUAT_T_OFFSET], xmm7

    // load third quaternions
    movaps      xmm2, [rsi+rcx+JOINTQUAT_Q_OFFSET]
    movaps      xmm6, [rdi+rcx+JOINTQUAT_Q_OFFSET]

    movsxd      rcx, dword ptr [rdx+rax-1*4]
    shl         rcx, JOINTQUAT_SIZE_SHIFT
    mov         a3, rcx

    // lerp fourth translations
    movaps      xmm7, [rdi+rcx+JOINTQUAT_T_OFFSET]
    subps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]
    mulps       xmm7, xmm3
    addps       xmm7, [rsi+rcx+JOINTQUAT_T_OFFSET]
    movaps      [rsi+rcx+JOINTQUAT_T_OFFSET], xmm7

    // load fourth quaternions
    movaps      xmm3, [rsi+rcx+JOINTQUAT_Q_OFFSET]

    TRANSPOSE_4x4( xmm0, xmm1, xmm2, xmm3, xmm7 )

    movaps      jointQuat3, xmm3

    movaps      xmm7, [rdi+rcx+JOINTQUAT_Q_OFFSET]

    TRANSPOSE_4x4( xmm4, xmm5, xmm6, xmm7, xmm3 )

    movaps      blendQuat3, xmm7

    // lerp quaternions
    movaps      xmm3, xmm0
    mulps       xmm3, xmm4
    movaps      xmm7, xmm1
    mulps       xmm7, xmm5
    addps       xmm3, xmm7
    movaps      xmm7, xmm2
    mulps       xmm7, xmm6
    addps       xmm3, xmm7
    movaps      xmm7, jointQuat3
    mulps       xmm7, blendQuat3
    addps       xmm3, xmm7                                  // xmm3 = cosom

    andps       xmm3, SIMD_SP_signBit                       // xmm3 = signBit
    movss       xmm7, scaledLerp
    shufps      xmm7, xmm7, R_SHUFFLE_PS( 0, 0, 0, 0 )
    xorps       xmm7, xmm3                                  // xmm7 = scaledLerp ^ signBit

    mulps       xmm4, xmm7
    addps       xmm4, xmm0
    movaps      xmm0, xmm4
    mulps       xmm0, xmm0

    mulps       xmm5, xmm7
    addps       xmm5, xmm1
    movaps      xmm1, xmm5
    mulps       xmm1, xmm1                                  # repaired: papers-repairs.md S-B
    addps       xmm0, xmm1

    mulps       xmm6, xmm7
    addps       xmm6, xmm2
    movaps      xmm2, xmm6
    mulps       xmm2, xmm2
    addps       xmm0, xmm2

    mulps       xmm7, blendQuat3
    addps       xmm7, jointQuat3
    movaps      xmm1, xmm7
    mulps       xmm1, xmm1                                  # repaired: papers-repairs.md S-B
    addps       xmm0, xmm1

    rsqrtps     xmm2, xmm0
    mulps       xmm0, xmm2
    mulps       xmm0, xmm2
    subps       xmm0, SIMD_SP_rsqrt_c0
    mulps       xmm2, SIMD_SP_rsqrt_c1
    mulps       xmm0, xmm2

    mulps       xmm4, xmm0
    mulps       xmm5, xmm0
    mulps       xmm6, xmm0
    mulps       xmm7, xmm0

    add         rax, 4*4

    // transpose xmm4, xmm5, xmm6, xmm7 to memory
    movaps      xmm2, xmm4
    movaps      xmm3, xmm6

    unpcklps    xmm4, xmm5
    unpcklps    xmm6, xmm7

    mov         rcx, a0
    movlps      [rsi+rcx+JOINTQUAT_Q_OFFSET+0], xmm4        # repaired: papers-repairs.md S-B
    movlps      [rsi+rcx+JOINTQUAT_Q_OFFSET+8], xmm6

    mov         rcx, a1                                     # repaired: papers-repairs.md S-B
    movhps      [rsi+rcx+JOINTQUAT_Q_OFFSET+0], xmm4
    movhps      [rsi+rcx+JOINTQUAT_Q_OFFSET+8], xmm6

    unpckhps    xmm2, xmm5
    unpckhps    xmm3, xmm7

    mov         rcx, a2
    movlps      [rsi+rcx+JOINTQUAT_Q_OFFSET+0], xmm2
    movlps      [rsi+rcx+JOINTQUAT_Q_OFFSET+8], xmm3

    mov         rcx, a3
    movhps      [rsi+rcx+JOINTQUAT_Q_OFFSET+0], xmm2
    movhps      [rsi+rcx+JOINTQUAT_Q_OFFSET+8], xmm3

    jle         loopJoint4

done4:
    sub         rax, 4*4
    jz          done1

    movss       xmm6, lerp
    shufps      xmm6, xmm6, R_SHUFFLE_PS( 0, 0, 0, 0 )

    movss       xmm7, scaledLerp
    shufps      xmm7, xmm7, R_SHUFFLE_PS( 0, 0, 0, 0 )

loopJoint1:

    movsxd      rcx, dword ptr [rdx+rax]
    shl         rcx, JOINTQUAT_SIZE_SHIFT

    // lerp translations
    movaps      xmm3, [rdi+rcx+JOINTQUAT_T_OFFSET]
    subps       xmm3, [rsi+rcx+JOINTQUAT_T_OFFSET]
    mulps       xmm3, xmm6
    addps       xmm3, [rsi+rcx+JOINTQUAT_T_OFFSET]
    movaps      [rsi+rcx+JOINTQUAT_T_OFFSET], xmm3

    // load quaternions
    movaps      xmm0, [rsi+rcx+JOINTQUAT_Q_OFFSET]
    movaps      xmm1, [rdi+rcx+JOINTQUAT_Q_OFFSET]

    // lerp quaternions
    movaps      xmm2, xmm0
    mulps       xmm2, xmm1
    movhlps     xmm3, xmm2
    addps       xmm2, xmm3
    movaps      xmm3, xmm2
    shufps      xmm3, xmm3, R_SHUFFLE_PS( 1, 0, 2, 3 )
    addss       xmm3, xmm2                                  // xmm3 = cosom
    shufps      xmm3, xmm3, R_SHUFFLE_PS( 0, 0, 0, 0 )

    andps       xmm3, SIMD_SP_signBit                       // xmm3 = signBit
    xorps       xmm3, xmm7                                  // xmm3 = scaledLerp ^ signBit

    mulps       xmm1, xmm3
    addps       xmm1, xmm0                                  // xmm1 = jointQuat + scale * blendQuat

    movaps      xmm0, xmm1
    mulps       xmm0, xmm0
    movhlps     xmm2, xmm0
    addps       xmm0, xmm2
    movaps      xmm2, xmm0
    shufps      xmm2, xmm2, R_SHUFFLE_PS( 1, 0, 2, 3 )
    addss       xmm0, xmm2

    rsqrtss     xmm2, xmm0
    mulss       xmm0, xmm2
    mulss       xmm0, xmm2
    subss       xmm0, SIMD_SP_rsqrt_c0
    mulss       xmm2, SIMD_SP_rsqrt_c1
    mulss       xmm0, xmm2

    shufps      xmm0, xmm0, R_SHUFFLE_PS( 0, 0, 0, 0 )
    mulps       xmm1, xmm0

    movaps      [rsi+rcx+JOINTQUAT_Q_OFFSET], xmm1

    add         rax, 1*4
    jl          loopJoint1

done1:
LISTING_END oracle_LerpJoints

#undef loopCopy
#undef lerpJoints
#undef loopJoint4
#undef loopJoint1
#undef done4
#undef done1
#undef joints
#undef blendJoints
#undef index
#undef lerp
#undef numJoints
#undef a0
#undef a1
#undef a2
#undef a3
#undef jointQuat0
#undef jointQuat1
#undef jointQuat2
#undef jointQuat3
#undef blendQuat0
#undef blendQuat1
#undef blendQuat2
#undef blendQuat3
#undef scaledLerp
