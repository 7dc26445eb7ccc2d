/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
    From Quaternion to Matrix and Back, J.M.P. van Waveren, id Software, 2005: appendices A and B.

    SSE Optimized Quaternion to Matrix Conversion
    SSE Optimized Matrix to Quaternion Conversion
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
ALIGN4_INIT4_DWORD( SIMD_SP_quat2mat_x0, IEEE_SP_ZERO, IEEE_SP_SIGN, IEEE_SP_SIGN, IEEE_SP_SIGN )
ALIGN4_INIT4_DWORD( SIMD_SP_quat2mat_x1, IEEE_SP_SIGN, IEEE_SP_ZERO, IEEE_SP_SIGN, IEEE_SP_SIGN )
ALIGN4_INIT4_DWORD( SIMD_SP_quat2mat_x2, IEEE_SP_ZERO, IEEE_SP_SIGN, IEEE_SP_SIGN, IEEE_SP_SIGN )

    .text

/* ==========================================================================
   Appendix A
   void ConvertJointQuatsToJointMats( JointMat *jointMats, const JointQuat *jointQuats, const int numJoints )

   SIMD_SP_one is used here and defined in appendix B.
   ========================================================================== */

#define jointMats       qword ptr [rbp-8]
#define jointQuats      qword ptr [rbp-16]
#define numJoints       dword ptr [rbp-20]
#define loopQuat        .LConvertJointQuatsToJointMats_loopQuat
#define done            .LConvertJointQuatsToJointMats_done

LISTING_BEGIN oracle_ConvertJointQuatsToJointMats, 32
    mov         jointMats, rdi
    mov         jointQuats, rsi
    mov         numJoints, edx

    movsxd      rax, numJoints
    shl         rax, JOINTQUAT_SIZE_SHIFT
    mov         rsi, jointQuats
    mov         rdi, jointMats
    add         rsi, rax
    neg         rax
    jz          done

loopQuat:

    movaps      xmm0, [rsi+rax+JOINTQUAT_Q_OFFSET]              // xmm0 = q.x, q.y, q.z, q.w
    movaps      xmm6, [rsi+rax+JOINTQUAT_T_OFFSET]              // xmm6 = t.x, t.y, t.z, t.w

    add         rdi, JOINTMAT_SIZE

    movaps      xmm1, xmm0                                      // xmm1 = x, y, z, w
    addps       xmm1, xmm1                                      // xmm1 = x2, y2, z2, w2

    add         rax, JOINTQUAT_SIZE                             # repaired: papers-repairs.md Q-A

    // calculate the 9 products
    pshufd      xmm2, xmm0, R_SHUFFLE_D( 1, 0, 0, 1 )           // xmm2 = y, x, x, y
    pshufd      xmm3, xmm1, R_SHUFFLE_D( 1, 1, 2, 2 )           // xmm3 = y2, y2, z2, z2
    mulps       xmm2, xmm3                                      // xmm2 = yy2, xy2, xz2, yz2

    pshufd      xmm4, xmm0, R_SHUFFLE_D( 2, 3, 3, 3 )           // xmm4 = z, w, w, w
    pshufd      xmm5, xmm1, R_SHUFFLE_D( 2, 2, 1, 0 )           // xmm5 = z2, z2, y2, x2
    mulps       xmm4, xmm5                                      // xmm4 = zz2, wz2, wy2, wx2

    mulss       xmm0, xmm1                                      // xmm0 = xx2, y2, z2, w2 (sic: xx2, y, z, w)

    // calculate the last two elements of the third row
    movss       xmm7, SIMD_SP_one                               // xmm7 = 1, 0, 0, 0
    subss       xmm7, xmm0                                      // xmm7 = -xx2+1, 0, 0, 0
    subss       xmm7, xmm2                                      // xmm7 = -xx2-yy2+1, 0, 0, 0
    shufps      xmm7, xmm6, R_SHUFFLE_PS( 0, 1, 2, 3 )          // xmm7 = -xx2-yy2+1, 0, t.z, t.w

    // calcluate first row
    xorps       xmm2, SIMD_SP_quat2mat_x0                       // xmm2 = yy2, -xy2, -xz2, -yz2
    xorps       xmm4, SIMD_SP_quat2mat_x1                       // xmm4 = -zz2, wz2, -wy2, -wx2
    addss       xmm4, SIMD_SP_one                               // xmm4 = -zz2+1, wz2, -wy2, -wx2
    movaps      xmm3, xmm4                                      // xmm3 = -zz2+1, wz2, -wy2, -wx2
    subps       xmm3, xmm2                                      // xmm3 = -yy2-zz2+1, xy2+wz2, xz2-wy2, yz2-wx2
    movaps      [rdi-JOINTMAT_SIZE+0*16+0*4], xmm3              // row0 = -yy2-zz2+1, xy2+wz2, xz2-wy2, yz2-wx2
    movss       [rdi-JOINTMAT_SIZE+0*16+3*4], xmm6              // row0 = -yy2-zz2+1, xy2+wz2, xz2-wy2, t.x

    // calculate second row
    movss       xmm2, xmm0                                      // xmm2 = xx2, -xy2, -xz2, -yz2  # repaired: papers-repairs.md Q-A
    xorps       xmm4, SIMD_SP_quat2mat_x2                       // xmm4 = -zz2+1, -wz2, wy2, wx2  # repaired: papers-repairs.md Q-A
    subps       xmm4, xmm2                                      // xmm4 = -xx2-zz2+1, xy2-wz2, xz2+wy2, yz2+wx2  # repaired: papers-repairs.md Q-A
    shufps      xmm6, xmm6, R_SHUFFLE_PS( 1, 2, 3, 0 )          // xmm6 = t.y, t.z, t.w, t.x
    shufps      xmm4, xmm4, R_SHUFFLE_PS( 1, 0, 3, 2 )          // xmm4 = xy2-wz2, -xx2-zz2+1, yz2+wx2, xz2+wy2
    movaps      [rdi-JOINTMAT_SIZE+1*16+0*4], xmm4              // row1 = xy2-wz2, -xx2-zz2+1, yz2+wx2, xz2+wy2  # repaired: papers-repairs.md Q-A
    movss       [rdi-JOINTMAT_SIZE+1*16+3*4], xmm6              // row1 = xy2-wz2, -xx2-zz2+1, yz2+wx2, t.y  # repaired: papers-repairs.md Q-A

    // calculate third row
    movhlps     xmm3, xmm4
    shufps      xmm3, xmm7, R_SHUFFLE_PS( 1, 3, 0, 2 )          # repaired: papers-repairs.md Q-A
    movaps      [rdi-JOINTMAT_SIZE+2*16+0*4], xmm3              # repaired: papers-repairs.md Q-A

    jl          loopQuat

done:
LISTING_END oracle_ConvertJointQuatsToJointMats

#undef jointMats
#undef jointQuats
#undef numJoints
#undef loopQuat
#undef done

/* ==========================================================================
   Appendix B
   void ConvertJointMatsToJointQuats( JointQuat *jointQuats, const JointMat *jointMats, const int numJoints )
   ========================================================================== */

    .section .rodata
ALIGN4_INIT1_DWORD( SIMD_SP_signBit, IEEE_SP_SIGN )
ALIGN4_INIT1_DWORD( SIMD_SP_not, 0xFFFFFFFF )
ALIGN4_INIT1_DWORD( SIMD_DW_mat2quatShuffle0, (3<<0)|(2<<8)|(1<<16)|(0<<24) )
ALIGN4_INIT1_DWORD( SIMD_DW_mat2quatShuffle1, (0<<0)|(1<<8)|(2<<16)|(3<<24) )   # repaired: papers-repairs.md Q-B
ALIGN4_INIT1_DWORD( SIMD_DW_mat2quatShuffle2, (1<<0)|(0<<8)|(3<<16)|(2<<24) )
ALIGN4_INIT1_DWORD( SIMD_DW_mat2quatShuffle3, (2<<0)|(3<<8)|(0<<16)|(1<<24) )
ALIGN4_INIT1_FLOAT( SIMD_SP_zero, 0.0 )
ALIGN4_INIT1_FLOAT( SIMD_SP_one, 1.0 )
ALIGN4_INIT1_FLOAT( SIMD_SP_mat2quat_rsqrt_c1, -0.25 )          // -0.5f * 0.5f
ALIGN4_INIT1_FLOAT( SIMD_SP_rsqrt_c0, 3.0 )
ALIGN4_INIT1_FLOAT( SIMD_SP_rsqrt_c1, -0.5 )

    .text

#define jointQuats      qword ptr [rbp-8]
#define jointMats       qword ptr [rbp-16]
#define numJoints       dword ptr [rbp-20]
#define shuffle         [rbp-48]                        /* ALIGN16( byte shuffle[16]; ) */
#define loopMat4        .LConvertJointMatsToJointQuats_loopMat4
#define loopMat1        .LConvertJointMatsToJointQuats_loopMat1
#define done4           .LConvertJointMatsToJointQuats_done4
#define done1           .LConvertJointMatsToJointQuats_done1

LISTING_BEGIN oracle_ConvertJointMatsToJointQuats, 48
    mov         jointQuats, rdi
    mov         jointMats, rsi
    mov         numJoints, edx

    movsxd      rax, numJoints
    mov         rsi, jointMats
    mov         rdi, jointQuats
    and         rax, ~3
    jz          done4
    imul        rax, rax, JOINTMAT_SIZE
    add         rsi, rax
    neg         rax

loopMat4:

    movss       xmm5, [rsi+rax+3*JOINTMAT_SIZE+0*16+0*4]
    movss       xmm6, [rsi+rax+3*JOINTMAT_SIZE+1*16+1*4]
    movss       xmm7, [rsi+rax+3*JOINTMAT_SIZE+2*16+2*4]

    shufps      xmm5, xmm5, R_SHUFFLE_PS( 3, 0, 1, 2 )
    shufps      xmm6, xmm6, R_SHUFFLE_PS( 3, 0, 1, 2 )
    shufps      xmm7, xmm7, R_SHUFFLE_PS( 3, 0, 1, 2 )

    movss       xmm0, [rsi+rax+2*JOINTMAT_SIZE+0*16+0*4]
    movss       xmm1, [rsi+rax+2*JOINTMAT_SIZE+1*16+1*4]
    movss       xmm2, [rsi+rax+2*JOINTMAT_SIZE+2*16+2*4]

    movss       xmm5, xmm0
    movss       xmm6, xmm1
    movss       xmm7, xmm2

    shufps      xmm5, xmm5, R_SHUFFLE_PS( 3, 0, 1, 2 )
    shufps      xmm6, xmm6, R_SHUFFLE_PS( 3, 0, 1, 2 )
    shufps      xmm7, xmm7, R_SHUFFLE_PS( 3, 0, 1, 2 )

    movss       xmm0, [rsi+rax+1*JOINTMAT_SIZE+0*16+0*4]
    movss       xmm1, [rsi+rax+1*JOINTMAT_SIZE+1*16+1*4]
    movss       xmm2, [rsi+rax+1*JOINTMAT_SIZE+2*16+2*4]

    movss       xmm5, xmm0
    movss       xmm6, xmm1
    movss       xmm7, xmm2

    shufps      xmm5, xmm5, R_SHUFFLE_PS( 3, 0, 1, 2 )
    shufps      xmm6, xmm6, R_SHUFFLE_PS( 3, 0, 1, 2 )
    shufps      xmm7, xmm7, R_SHUFFLE_PS( 3, 0, 1, 2 )

    movss       xmm0, [rsi+rax+0*JOINTMAT_SIZE+0*16+0*4]
    movss       xmm1, [rsi+rax+0*JOINTMAT_SIZE+1*16+1*4]
    movss       xmm2, [rsi+rax+0*JOINTMAT_SIZE+2*16+2*4]

    movss       xmm5, xmm0
    movss       xmm6, xmm1
    movss       xmm7, xmm2

    // -------------------

    movaps      xmm0, xmm5
    addps       xmm0, xmm6
    addps       xmm0, xmm7
    cmpnltps    xmm0, SIMD_SP_zero                              // xmm0 = m[0 * 4 + 0] + m[1 * 4 + 1] + m[2 * 4 + 2] > 0.0f (sic: >=)

    movaps      xmm1, xmm5
    movaps      xmm2, xmm5
    cmpnltps    xmm1, xmm6
    cmpnltps    xmm2, xmm7
    andps       xmm2, xmm1                                      // xmm2 = m[0 * 4 + 0] > m[1 * 4 + 1] && m[0 * 4 + 0] > m[2 * 4 + 2] (sic: >=)

    movaps      xmm4, xmm6
    cmpnltps    xmm4, xmm7                                      // xmm4 = m[1 * 4 + 1] > m[2 * 4 + 2] (sic: >=)

    movaps      xmm1, xmm0
    andnps      xmm1, xmm2
    orps        xmm2, xmm0
    movaps      xmm3, xmm2
    andnps      xmm2, xmm4
    orps        xmm3, xmm2
    xorps       xmm3, SIMD_SP_not

    andps       xmm0, SIMD_DW_mat2quatShuffle0
    movaps      xmm4, xmm1
    andps       xmm4, SIMD_DW_mat2quatShuffle1
    orps        xmm0, xmm4
    movaps      xmm4, xmm2
    andps       xmm4, SIMD_DW_mat2quatShuffle2
    orps        xmm0, xmm4
    movaps      xmm4, xmm3
    andps       xmm4, SIMD_DW_mat2quatShuffle3
    orps        xmm4, xmm0

    movaps      shuffle, xmm4

    movaps      xmm0, xmm2
    orps        xmm0, xmm3                                      // xmm0 = xmm2 | xmm3 = s0
    orps        xmm2, xmm1                                      // xmm2 = xmm1 | xmm2 = s2
    orps        xmm1, xmm3                                      // xmm1 = xmm1 | xmm3 = s1

    andps       xmm0, SIMD_SP_signBit
    andps       xmm1, SIMD_SP_signBit
    andps       xmm2, SIMD_SP_signBit

    xorps       xmm5, xmm0
    xorps       xmm6, xmm1
    xorps       xmm7, xmm2

    addps       xmm5, xmm6
    addps       xmm7, SIMD_SP_one
    addps       xmm5, xmm7                                      // xmm5 = t

    movaps      xmm7, xmm5                                      // xmm7 = t

    rsqrtps     xmm6, xmm5
    mulps       xmm5, xmm6
    mulps       xmm5, xmm6
    subps       xmm5, SIMD_SP_rsqrt_c0
    mulps       xmm6, SIMD_SP_mat2quat_rsqrt_c1
    mulps       xmm6, xmm5                                      // xmm6 = s

    mulps       xmm7, xmm6                                      // xmm7 = s * t

    xorps       xmm6, SIMD_SP_signBit                           // xmm6 = -s  # repaired: papers-repairs.md Q-B

    // -------------------

    add         rdi, 4*JOINTQUAT_SIZE                           # repaired: papers-repairs.md Q-B

    movzx       ecx, byte ptr shuffle[0*4+0]                    // ecx = k0
    movss       [rdi+rcx*4-4*JOINTQUAT_SIZE], xmm7              // q[k0] = s * t;

    movzx       edx, byte ptr shuffle[0*4+1]                    // edx = k1  # repaired: papers-repairs.md Q-B
    movss       xmm4, [rsi+rax+0*JOINTMAT_SIZE+1*16+0*4]        # repaired: papers-repairs.md Q-B
    xorps       xmm4, xmm2
    subss       xmm4, [rsi+rax+0*JOINTMAT_SIZE+0*16+1*4]
    mulss       xmm4, xmm6
    movss       [rdi+rdx*4-4*JOINTQUAT_SIZE], xmm4              // q[k1] = ( m[0 * 4 + 1] - s2 * m[1 * 4 + 0] ) * s;

    movzx       ecx, byte ptr shuffle[0*4+2]                    // ecx = k2
    movss       xmm3, [rsi+rax+0*JOINTMAT_SIZE+0*16+2*4]
    xorps       xmm3, xmm1
    subss       xmm3, [rsi+rax+0*JOINTMAT_SIZE+2*16+0*4]
    mulss       xmm3, xmm6
    movss       [rdi+rcx*4-4*JOINTQUAT_SIZE], xmm3              // q[k2] = ( m[2 * 4 + 0] - s1 * m[0 * 4 + 2] ) * s;

    movzx       edx, byte ptr shuffle[0*4+3]                    // edx = k3
    movss       xmm4, [rsi+rax+0*JOINTMAT_SIZE+2*16+1*4]
    xorps       xmm4, xmm0
    subss       xmm4, [rsi+rax+0*JOINTMAT_SIZE+1*16+2*4]
    mulss       xmm4, xmm6
    movss       [rdi+rdx*4-4*JOINTQUAT_SIZE], xmm4              // q[k3] = ( m[1 * 4 + 2] - s0 * m[2 * 4 + 1] ) * s;  # repaired: papers-repairs.md Q-B

    mov         ecx, [rsi+rax+0*JOINTMAT_SIZE+0*16+3*4]         # repaired: papers-repairs.md Q-B
    mov         [rdi-4*JOINTQUAT_SIZE+16], ecx                  // q[4] = m[0 * 4 + 3];  # repaired: papers-repairs.md Q-B
    mov         edx, [rsi+rax+0*JOINTMAT_SIZE+1*16+3*4]         # repaired: papers-repairs.md Q-B
    mov         [rdi-4*JOINTQUAT_SIZE+20], edx                  // q[5] = m[1 * 4 + 3];  # repaired: papers-repairs.md Q-B
    mov         ecx, [rsi+rax+0*JOINTMAT_SIZE+2*16+3*4]         # repaired: papers-repairs.md Q-B
    mov         [rdi-4*JOINTQUAT_SIZE+24], ecx                  // q[6] = m[2 * 4 + 3];  # repaired: papers-repairs.md Q-B (not listed there; the other copies)
    mov         dword ptr [rdi-4*JOINTQUAT_SIZE+28], 0          // q[7] = 0.0f;  # repaired: papers-repairs.md Q-B (not listed there; the other copies)

    shufps      xmm6, xmm6, R_SHUFFLE_PS( 1, 2, 3, 0 )
    shufps      xmm7, xmm7, R_SHUFFLE_PS( 1, 2, 3, 0 )
    shufps      xmm0, xmm0, R_SHUFFLE_PS( 1, 2, 3, 0 )
    shufps      xmm1, xmm1, R_SHUFFLE_PS( 1, 2, 3, 0 )
    shufps      xmm2, xmm2, R_SHUFFLE_PS( 1, 2, 3, 0 )          # repaired: papers-repairs.md Q-B

    movzx       ecx, byte ptr shuffle[1*4+0]                    // ecx = k0
    movss       [rdi+rcx*4-3*JOINTQUAT_SIZE], xmm7              // q[k0] = s * t;

    movzx       edx, byte ptr shuffle[1*4+1]                    // edx = k1
    movss       xmm4, [rsi+rax+1*JOINTMAT_SIZE+1*16+0*4]
    xorps       xmm4, xmm2
    subss       xmm4, [rsi+rax+1*JOINTMAT_SIZE+0*16+1*4]
    mulss       xmm4, xmm6
    movss       [rdi+rdx*4-3*JOINTQUAT_SIZE], xmm4              // q[k1] = ( m[0 * 4 + 1] - s2 * m[1 * 4 + 0] ) * s;

    movzx       ecx, byte ptr shuffle[1*4+2]                    // ecx = k2  # repaired: papers-repairs.md Q-B
    movss       xmm3, [rsi+rax+1*JOINTMAT_SIZE+0*16+2*4]
    xorps       xmm3, xmm1
    subss       xmm3, [rsi+rax+1*JOINTMAT_SIZE+2*16+0*4]
    mulss       xmm3, xmm6
    movss       [rdi+rcx*4-3*JOINTQUAT_SIZE], xmm3              // q[k2] = ( m[2 * 4 + 0] - s1 * m[0 * 4 + 2] ) * s;  # repaired: papers-repairs.md Q-B

    movzx       edx, byte ptr shuffle[1*4+3]                    // edx = k3
    movss       xmm4, [rsi+rax+1*JOINTMAT_SIZE+2*16+1*4]
    xorps       xmm4, xmm0
    subss       xmm4, [rsi+rax+1*JOINTMAT_SIZE+1*16+2*4]
    mulss       xmm4, xmm6
    movss       [rdi+rdx*4-3*JOINTQUAT_SIZE], xmm4              // q[k3] = ( m[1 * 4 + 2] - s0 * m[2 * 4 + 1] ) * s;

    mov         ecx, [rsi+rax+1*JOINTMAT_SIZE+0*16+3*4]         # repaired: papers-repairs.md Q-B
    mov         [rdi-3*JOINTQUAT_SIZE+16], ecx                  // q[4] = m[0 * 4 + 3];
    mov         edx, [rsi+rax+1*JOINTMAT_SIZE+1*16+3*4]
    mov         [rdi-3*JOINTQUAT_SIZE+20], edx                  // q[5] = m[1 * 4 + 3];
    mov         ecx, [rsi+rax+1*JOINTMAT_SIZE+2*16+3*4]         # repaired: papers-repairs.md Q-B
    mov         [rdi-3*JOINTQUAT_SIZE+24], ecx                  // q[6] = m[2 * 4 + 3];
    mov         dword ptr [rdi-3*JOINTQUAT_SIZE+28], 0          // q[7] = 0.0f;

    shufps      xmm6, xmm6, R_SHUFFLE_PS( 1, 2, 3, 0 )
    shufps      xmm7, xmm7, R_SHUFFLE_PS( 1, 2, 3, 0 )
    shufps      xmm0, xmm0, R_SHUFFLE_PS( 1, 2, 3, 0 )
    shufps      xmm1, xmm1, R_SHUFFLE_PS( 1, 2, 3, 0 )
    shufps      xmm2, xmm2, R_SHUFFLE_PS( 1, 2, 3, 0 )

    movzx       ecx, byte ptr shuffle[2*4+0]                    // ecx = k0  # repaired: papers-repairs.md Q-B
    movss       [rdi+rcx*4-2*JOINTQUAT_SIZE], xmm7              // q[k0] = s * t;

    movzx       edx, byte ptr shuffle[2*4+1]                    // edx = k1
    movss       xmm4, [rsi+rax+2*JOINTMAT_SIZE+1*16+0*4]
    xorps       xmm4, xmm2
    subss       xmm4, [rsi+rax+2*JOINTMAT_SIZE+0*16+1*4]
    mulss       xmm4, xmm6
    movss       [rdi+rdx*4-2*JOINTQUAT_SIZE], xmm4              // q[k1] = ( m[0 * 4 + 1] - s2 * m[1 * 4 + 0] ) * s;

    movzx       ecx, byte ptr shuffle[2*4+2]                    // ecx = k2
    movss       xmm3, [rsi+rax+2*JOINTMAT_SIZE+0*16+2*4]
    xorps       xmm3, xmm1
    subss       xmm3, [rsi+rax+2*JOINTMAT_SIZE+2*16+0*4]
    mulss       xmm3, xmm6
    movss       [rdi+rcx*4-2*JOINTQUAT_SIZE], xmm3              // q[k2] = ( m[2 * 4 + 0] - s1 * m[0 * 4 + 2] ) * s;  # repaired: papers-repairs.md Q-B

    movzx       edx, byte ptr shuffle[2*4+3]                    // edx = k3
    movss       xmm4, [rsi+rax+2*JOINTMAT_SIZE+2*16+1*4]
    xorps       xmm4, xmm0
    subss       xmm4, [rsi+rax+2*JOINTMAT_SIZE+1*16+2*4]
    mulss       xmm4, xmm6
    movss       [rdi+rdx*4-2*JOINTQUAT_SIZE], xmm4              // q[k3] = ( m[1 * 4 + 2] - s0 * m[2 * 4 + 1] ) * s;

    mov         ecx, [rsi+rax+2*JOINTMAT_SIZE+0*16+3*4]         # repaired: papers-repairs.md Q-B
    mov         [rdi-2*JOINTQUAT_SIZE+16], ecx                  // q[4] = m[0 * 4 + 3];  # repaired: papers-repairs.md Q-B
    mov         edx, [rsi+rax+2*JOINTMAT_SIZE+1*16+3*4]         # repaired: papers-repairs.md Q-B
    mov         [rdi-2*JOINTQUAT_SIZE+20], edx                  // q[5] = m[1 * 4 + 3];  # repaired: papers-repairs.md Q-B
    mov         ecx, [rsi+rax+2*JOINTMAT_SIZE+2*16+3*4]         # repaired: papers-repairs.md Q-B
    mov         [rdi-2*JOINTQUAT_SIZE+24], ecx                  // q[6] = m[2 * 4 + 3];  # repaired: papers-repairs.md Q-B
    mov         dword ptr [rdi-2*JOINTQUAT_SIZE+28], 0          // q[7] = 0.0f;  # repaired: papers-repairs.md Q-B

    shufps      xmm6, xmm6, R_SHUFFLE_PS( 1, 2, 3, 0 )
    shufps      xmm7, xmm7, R_SHUFFLE_PS( 1, 2, 3, 0 )
    shufps      xmm0, xmm0, R_SHUFFLE_PS( 1, 2, 3, 0 )
    shufps      xmm1, xmm1, R_SHUFFLE_PS( 1, 2, 3, 0 )
    shufps      xmm2, xmm2, R_SHUFFLE_PS( 1, 2, 3, 0 )

    movzx       ecx, byte ptr shuffle[3*4+0]                    // ecx = k0  # repaired: papers-repairs.md Q-B
    movss       [rdi+rcx*4-1*JOINTQUAT_SIZE], xmm7              // q[k0] = s * t;  # repaired: papers-repairs.md Q-B

    movzx       edx, byte ptr shuffle[3*4+1]                    // edx = k1  # repaired: papers-repairs.md Q-B
    movss       xmm4, [rsi+rax+3*JOINTMAT_SIZE+1*16+0*4]        # repaired: papers-repairs.md Q-B
    xorps       xmm4, xmm2
    subss       xmm4, [rsi+rax+3*JOINTMAT_SIZE+0*16+1*4]
    mulss       xmm4, xmm6
    movss       [rdi+rdx*4-1*JOINTQUAT_SIZE], xmm4              // q[k1] = ( m[0 * 4 + 1] - s2 * m[1 * 4 + 0] ) * s;

    movzx       ecx, byte ptr shuffle[3*4+2]                    // ecx = k2
    movss       xmm3, [rsi+rax+3*JOINTMAT_SIZE+0*16+2*4]
    xorps       xmm3, xmm1
    subss       xmm3, [rsi+rax+3*JOINTMAT_SIZE+2*16+0*4]
    mulss       xmm3, xmm6
    movss       [rdi+rcx*4-1*JOINTQUAT_SIZE], xmm3              // q[k2] = ( m[2 * 4 + 0] - s1 * m[0 * 4 + 2] ) * s;

    movzx       edx, byte ptr shuffle[3*4+3]                    // edx = k3
    movss       xmm4, [rsi+rax+3*JOINTMAT_SIZE+2*16+1*4]
    xorps       xmm4, xmm0
    subss       xmm4, [rsi+rax+3*JOINTMAT_SIZE+1*16+2*4]
    mulss       xmm4, xmm6
    movss       [rdi+rdx*4-1*JOINTQUAT_SIZE], xmm4              // q[k3] = ( m[1 * 4 + 2] - s0 * m[2 * 4 + 1] ) * s;

    mov         ecx, [rsi+rax+3*JOINTMAT_SIZE+0*16+3*4]
    mov         [rdi-1*JOINTQUAT_SIZE+16], ecx                  // q[4] = m[0 * 4 + 3];
    mov         edx, [rsi+rax+3*JOINTMAT_SIZE+1*16+3*4]
    mov         [rdi-1*JOINTQUAT_SIZE+20], edx                  // q[5] = m[1 * 4 + 3];
    mov         ecx, [rsi+rax+3*JOINTMAT_SIZE+2*16+3*4]
    mov         [rdi-1*JOINTQUAT_SIZE+24], ecx                  // q[6] = m[2 * 4 + 3];
    mov         dword ptr [rdi-1*JOINTQUAT_SIZE+28], 0          // q[7] = 0.0f;  # repaired: papers-repairs.md Q-B

    add         rax, 4*JOINTMAT_SIZE
    jl          loopMat4

done4:

    movsxd      rax, numJoints
    and         rax, 3
    jz          done1                                           # repaired: papers-repairs.md Q-B
    imul        rax, rax, JOINTMAT_SIZE
    add         rsi, rax
    neg         rax

loopMat1:

    movss       xmm5, [rsi+rax+0*JOINTMAT_SIZE+0*16+0*4]
    movss       xmm6, [rsi+rax+0*JOINTMAT_SIZE+1*16+1*4]
    movss       xmm7, [rsi+rax+0*JOINTMAT_SIZE+2*16+2*4]

    // -------------------

    movaps      xmm0, xmm5
    addss       xmm0, xmm6
    addss       xmm0, xmm7
    cmpnltss    xmm0, SIMD_SP_zero                              // xmm0 = m[0 * 4 + 0] + m[1 * 4 + 1] + m[2 * 4 + 2] > 0.0f (sic: >=)

    movaps      xmm1, xmm5
    movaps      xmm2, xmm5
    cmpnltss    xmm1, xmm6
    cmpnltss    xmm2, xmm7
    andps       xmm2, xmm1                                      // xmm2 = m[0 * 4 + 0] > m[1 * 4 + 1] && m[0 * 4 + 0] > m[2 * 4 + 2] (sic: >=)  # repaired: papers-repairs.md Q-B

    movaps      xmm4, xmm6
    cmpnltss    xmm4, xmm7                                      // xmm3 = m[1 * 4 + 1] > m[2 * 4 + 2] (sic: xmm4, >=)

    movaps      xmm1, xmm0
    andnps      xmm1, xmm2
    orps        xmm2, xmm0
    movaps      xmm3, xmm2
    andnps      xmm2, xmm4
    orps        xmm3, xmm2
    xorps       xmm3, SIMD_SP_not

    andps       xmm0, SIMD_DW_mat2quatShuffle0
    movaps      xmm4, xmm1
    andps       xmm4, SIMD_DW_mat2quatShuffle1
    orps        xmm0, xmm4
    movaps      xmm4, xmm2
    andps       xmm4, SIMD_DW_mat2quatShuffle2
    orps        xmm0, xmm4
    movaps      xmm4, xmm3
    andps       xmm4, SIMD_DW_mat2quatShuffle3
    orps        xmm4, xmm0

    movaps      shuffle, xmm4                                   # repaired: papers-repairs.md Q-B

    movaps      xmm0, xmm2
    orps        xmm0, xmm3                                      // xmm0 = xmm2 | xmm3 = s0
    orps        xmm2, xmm1                                      // xmm2 = xmm1 | xmm2 = s2
    orps        xmm1, xmm3                                      // xmm1 = xmm1 | xmm3 = s1

    andps       xmm0, SIMD_SP_signBit
    andps       xmm1, SIMD_SP_signBit
    andps       xmm2, SIMD_SP_signBit

    xorps       xmm5, xmm0
    xorps       xmm6, xmm1
    xorps       xmm7, xmm2

    addss       xmm5, xmm6
    addss       xmm7, SIMD_SP_one
    addss       xmm5, xmm7                                      // xmm5 = t

    movss       xmm7, xmm5                                      // xmm7 = t

    rsqrtss     xmm6, xmm5
    mulss       xmm5, xmm6
    mulss       xmm5, xmm6
    subss       xmm5, SIMD_SP_rsqrt_c0
    mulss       xmm6, SIMD_SP_mat2quat_rsqrt_c1
    mulss       xmm6, xmm5                                      // xmm5 = s (sic: xmm6)

    mulss       xmm7, xmm6                                      // xmm7 = s * t
    xorps       xmm6, SIMD_SP_signBit                           // xmm6 = -s  # repaired: papers-repairs.md Q-B

    // -------------------

    movzx       ecx, byte ptr shuffle[0]                        // ecx = k0
    add         rdi, JOINTQUAT_SIZE
    movss       [rdi+rcx*4-1*JOINTQUAT_SIZE], xmm7              // q[k0] = s * t;

    movzx       edx, byte ptr shuffle[1]                        // edx = k1
    movss       xmm4, [rsi+rax+0*JOINTMAT_SIZE+1*16+0*4]
    xorps       xmm4, xmm2
    subss       xmm4, [rsi+rax+0*JOINTMAT_SIZE+0*16+1*4]
    mulss       xmm4, xmm6
    movss       [rdi+rdx*4-1*JOINTQUAT_SIZE], xmm4              // q[k1] = ( m[0 * 4 + 1] - s2 * m[1 * 4 + 0] ) * s;

    movzx       ecx, byte ptr shuffle[2]                        // ecx = k2
    movss       xmm3, [rsi+rax+0*JOINTMAT_SIZE+0*16+2*4]
    xorps       xmm3, xmm1
    subss       xmm3, [rsi+rax+0*JOINTMAT_SIZE+2*16+0*4]
    mulss       xmm3, xmm6
    movss       [rdi+rcx*4-1*JOINTQUAT_SIZE], xmm3              // q[k2] = ( m[2 * 4 + 0] - s1 * m[0 * 4 + 2] ) * s;  # repaired: papers-repairs.md Q-B

    movzx       edx, byte ptr shuffle[3]                        // edx = k3
    movss       xmm4, [rsi+rax+0*JOINTMAT_SIZE+2*16+1*4]
    xorps       xmm4, xmm0
    subss       xmm4, [rsi+rax+0*JOINTMAT_SIZE+1*16+2*4]
    mulss       xmm4, xmm6
    movss       [rdi+rdx*4-1*JOINTQUAT_SIZE], xmm4              // q[k3] = ( m[1 * 4 + 2] - s0 * m[2 * 4 + 1] ) * s;

    mov         ecx, [rsi+rax+0*JOINTMAT_SIZE+0*16+3*4]
    mov         [rdi-1*JOINTQUAT_SIZE+16], ecx                  // q[4] = m[0 * 4 + 3];
    mov         edx, [rsi+rax+0*JOINTMAT_SIZE+1*16+3*4]
    mov         [rdi-1*JOINTQUAT_SIZE+20], edx                  // q[5] = m[1 * 4 + 3];  # repaired: papers-repairs.md Q-B
    mov         ecx, [rsi+rax+0*JOINTMAT_SIZE+2*16+3*4]         # repaired: papers-repairs.md Q-B
    mov         [rdi-1*JOINTQUAT_SIZE+24], ecx                  // q[6] = m[2 * 4 + 3];  # repaired: papers-repairs.md Q-B
    mov         dword ptr [rdi-1*JOINTQUAT_SIZE+28], 0          // q[7] = 0.0f;  # repaired: papers-repairs.md Q-B

    add         rax, JOINTMAT_SIZE
    jl          loopMat1                                        # repaired: papers-repairs.md Q-B

done1:
LISTING_END oracle_ConvertJointMatsToJointQuats

#undef jointQuats
#undef jointMats
#undef numJoints
#undef shuffle
#undef loopMat4
#undef loopMat1
#undef done4
#undef done1
