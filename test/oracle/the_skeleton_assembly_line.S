/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
    The Skeleton Assembly Line, J.M.P. van Waveren, id Software, 2005: appendices A, B and C.

    SSE Optimized Skeleton Transform for Skeletal Animation Systems
    SSE Optimized Skeleton Untransform for Skeletal Animation Systems
    SSE Optimized Joint Transform for Skeletal Animation Systems
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
ALIGN4_INIT4_DWORD( SIMD_SP_clearFirstThree, 0x00000000, 0x00000000, 0x00000000, 0xFFFFFFFF )

/* ==========================================================================
   Appendix A
   void TransformSkeleton( JointMat *jointMats, const int *parents, const int firstJoint, const int lastJoint )
   ========================================================================== */

#define jointMats       qword ptr [rbp-8]
#define parents         qword ptr [rbp-16]
#define firstJoint      dword ptr [rbp-20]
#define lastJoint       dword ptr [rbp-24]
#define loopJoint       .LTransformSkeleton_loopJoint
#define done            .LTransformSkeleton_done

LISTING_BEGIN oracle_TransformSkeleton, 32
    mov         jointMats, rdi
    mov         parents, rsi
    mov         firstJoint, edx
    mov         lastJoint, ecx

    movsxd      rcx, firstJoint                                 # repaired: papers-repairs.md K-A
    movsxd      rax, lastJoint                                  # repaired: papers-repairs.md K-A
    sub         rax, rcx
    jl          done                                            # repaired: papers-repairs.md K-A
    shl         rcx, 2                                          // ecx = firstJoint * 4
    mov         rdi, parents
    add         rdi, rcx                                        // edx = &parents[firstJoint] (sic: edi)
    lea         rcx, [rcx+rcx*2]
    shl         rcx, 2                                          // ecx = firstJoint * JOINTMAT_SIZE
    mov         rsi, jointMats                                  // esi = jointMats
    shl         rax, 2                                          // eax = ( lastJoint - firstJoint ) * 4
    add         rdi, rax
    neg         rax

loopJoint:

    movsxd      rdx, dword ptr [rdi+rax]                        # repaired: papers-repairs.md K-A
    movaps      xmm0, [rsi+rcx+ 0]                              // xmm0 = m0, m1, m2, t0
    lea         rdx, [rdx+rdx*2]
    movaps      xmm1, [rsi+rcx+16]                              // xmm1 = m2, m3, m4, t1 (sic: m3, m4, m5)
    shl         rdx, 4                                          // edx = parents[i] * JOINTMAT_SIZE  # repaired: papers-repairs.md K-A
    movaps      xmm2, [rsi+rcx+32]                              // xmm2 = m5, m6, m7, t2 (sic: m6, m7, m8)

    movaps      xmm7, [rsi+rdx+ 0]
    pshufd      xmm4, xmm7, R_SHUFFLE_D( 0, 0, 0, 0 )
    mulps       xmm4, xmm0
    pshufd      xmm5, xmm7, R_SHUFFLE_D( 1, 1, 1, 1 )
    mulps       xmm5, xmm1
    addps       xmm4, xmm5

    add         rcx, JOINTMAT_SIZE
    add         rax, 4

    pshufd      xmm6, xmm7, R_SHUFFLE_D( 2, 2, 2, 2 )
    mulps       xmm6, xmm2
    addps       xmm4, xmm6

    andps       xmm7, SIMD_SP_clearFirstThree
    addps       xmm4, xmm7

    movaps      [rsi+rcx-JOINTMAT_SIZE+ 0], xmm4

    movaps      xmm3, [rsi+rdx+16]
    pshufd      xmm5, xmm3, R_SHUFFLE_D( 0, 0, 0, 0 )
    mulps       xmm5, xmm0
    pshufd      xmm6, xmm3, R_SHUFFLE_D( 1, 1, 1, 1 )
    mulps       xmm6, xmm1
    addps       xmm5, xmm6
    pshufd      xmm4, xmm3, R_SHUFFLE_D( 2, 2, 2, 2 )
    mulps       xmm4, xmm2
    addps       xmm5, xmm4
    andps       xmm3, SIMD_SP_clearFirstThree
    addps       xmm5, xmm3

    movaps      [rsi+rcx-JOINTMAT_SIZE+16], xmm5

    movaps      xmm7, [rsi+rdx+32]
    pshufd      xmm6, xmm7, R_SHUFFLE_D( 0, 0, 0, 0 )
    mulps       xmm6, xmm0
    pshufd      xmm4, xmm7, R_SHUFFLE_D( 1, 1, 1, 1 )
    mulps       xmm4, xmm1
    addps       xmm6, xmm4
    pshufd      xmm3, xmm7, R_SHUFFLE_D( 2, 2, 2, 2 )
    mulps       xmm3, xmm2
    addps       xmm6, xmm3
    andps       xmm7, SIMD_SP_clearFirstThree
    addps       xmm6, xmm7

    movaps      [rsi+rcx-JOINTMAT_SIZE+32], xmm6

    jle         loopJoint
done:
LISTING_END oracle_TransformSkeleton

#undef loopJoint
#undef done

/* ==========================================================================
   Appendix B
   void UntransformSkeleton( JointMat *jointMats, const int *parents, const int firstJoint, const int lastJoint )
   ========================================================================== */

#define loopJoint       .LUntransformSkeleton_loopJoint
#define done            .LUntransformSkeleton_done

LISTING_BEGIN oracle_UntransformSkeleton, 32
    mov         jointMats, rdi
    mov         parents, rsi
    mov         firstJoint, edx
    mov         lastJoint, ecx

    movsxd      rdx, firstJoint
    movsxd      rax, lastJoint
    mov         rcx, rax
    sub         rax, rdx
    jl          done
    mov         rsi, jointMats                                  // esi = jointMats
    lea         rcx, [rcx+rcx*2]
    shl         rcx, 4                                          // ecx = lastJoint * JOINTMAT_SIZE
    shl         rdx, 2
    mov         rdi, parents
    add         rdi, rdx                                        // edi = &parents[firstJoint]
    shl         rax, 2                                          // eax = ( lastJoint - firstJoint ) * 4

loopJoint:

    movsxd      rdx, dword ptr [rdi+rax]
    movaps      xmm0, [rsi+rcx+ 0]                              // xmm0 = m0, m1, m2, t0
    lea         rdx, [rdx+rdx*2]
    movaps      xmm1, [rsi+rcx+16]                              // xmm1 = m2, m3, m4, t1 (sic: m3, m4, m5)
    shl         rdx, 4                                          // edx = parents[i] * JOINTMAT_SIZE
    movaps      xmm2, [rsi+rcx+32]                              // xmm2 = m5, m6, m7, t2 (sic: m6, m7, m8)

    movss       xmm7, [rsi+rdx+12]
    pshufd      xmm7, xmm7, R_SHUFFLE_D( 1, 2, 3, 0 )
    subps       xmm0, xmm7
    movss       xmm6, [rsi+rdx+28]
    pshufd      xmm6, xmm6, R_SHUFFLE_D( 1, 2, 3, 0 )
    subps       xmm1, xmm6
    movss       xmm5, [rsi+rdx+44]
    pshufd      xmm5, xmm5, R_SHUFFLE_D( 1, 2, 3, 0 )
    subps       xmm2, xmm5

    sub         rcx, JOINTMAT_SIZE
    sub         rax, 4

    movaps      xmm7, [rsi+rdx+ 0]

    pshufd      xmm3, xmm7, R_SHUFFLE_D( 0, 0, 0, 0 )
    mulps       xmm3, xmm0
    pshufd      xmm4, xmm7, R_SHUFFLE_D( 1, 1, 1, 1 )
    mulps       xmm4, xmm0
    pshufd      xmm5, xmm7, R_SHUFFLE_D( 2, 2, 2, 2 )
    mulps       xmm5, xmm0

    movaps      xmm7, [rsi+rdx+16]

    pshufd      xmm0, xmm7, R_SHUFFLE_D( 0, 0, 0, 0 )
    mulps       xmm0, xmm1
    addps       xmm3, xmm0
    pshufd      xmm6, xmm7, R_SHUFFLE_D( 1, 1, 1, 1 )
    mulps       xmm6, xmm1
    addps       xmm4, xmm6
    pshufd      xmm0, xmm7, R_SHUFFLE_D( 2, 2, 2, 2 )
    mulps       xmm0, xmm1
    addps       xmm5, xmm0

    movaps      xmm7, [rsi+rdx+32]

    pshufd      xmm6, xmm7, R_SHUFFLE_D( 0, 0, 0, 0 )
    mulps       xmm6, xmm2
    addps       xmm3, xmm6

    movaps      [rsi+rcx+JOINTMAT_SIZE+ 0], xmm3

    pshufd      xmm1, xmm7, R_SHUFFLE_D( 1, 1, 1, 1 )
    mulps       xmm1, xmm2
    addps       xmm4, xmm1

    movaps      [rsi+rcx+JOINTMAT_SIZE+16], xmm4

    pshufd      xmm6, xmm7, R_SHUFFLE_D( 2, 2, 2, 2 )
    mulps       xmm6, xmm2
    addps       xmm5, xmm6

    movaps      [rsi+rcx+JOINTMAT_SIZE+32], xmm5

    jge         loopJoint                                       # repaired: papers-repairs.md K-B
done:
LISTING_END oracle_UntransformSkeleton

#undef jointMats
#undef parents
#undef firstJoint
#undef lastJoint
#undef loopJoint
#undef done

/* ==========================================================================
   Appendix C
   void TransformJoints( JointMat *result, const JointMat *joints1, const JointMat *joints2, const int numJoints )
   ========================================================================== */

#define result          qword ptr [rbp-8]
#define joints1         qword ptr [rbp-16]
#define joints2         qword ptr [rbp-24]
#define numJoints       dword ptr [rbp-28]
#define loopJoint       .LTransformJoints_loopJoint
#define done            .LTransformJoints_done

LISTING_BEGIN oracle_TransformJoints, 32
    mov         result, rdi
    mov         joints1, rsi
    mov         joints2, rdx
    mov         numJoints, ecx

    movsxd      rax, numJoints
    test        rax, rax
    jz          done
    mov         rcx, joints1
    mov         rdx, joints2
    mov         rdi, result
    imul        rax, rax, JOINTMAT_SIZE
    add         rcx, rax
    add         rdx, rax
    add         rdi, rax
    neg         rax

loopJoint:

    movaps      xmm0, [rdx+rax+ 0]
    movaps      xmm1, [rdx+rax+16]
    movaps      xmm2, [rdx+rax+32]

    movaps      xmm7, [rcx+rax+ 0]
    pshufd      xmm3, xmm7, R_SHUFFLE_D( 0, 0, 0, 0 )
    mulps       xmm3, xmm0
    pshufd      xmm4, xmm7, R_SHUFFLE_D( 1, 1, 1, 1 )
    mulps       xmm4, xmm1
    addps       xmm3, xmm4

    add         rax, JOINTMAT_SIZE

    pshufd      xmm5, xmm7, R_SHUFFLE_D( 2, 2, 2, 2 )
    mulps       xmm5, xmm2
    addps       xmm3, xmm5

    andps       xmm7, SIMD_SP_clearFirstThree
    addps       xmm3, xmm7

    movaps      [rdi+rax-JOINTMAT_SIZE+ 0], xmm3

    movaps      xmm7, [rcx+rax-JOINTMAT_SIZE+16]
    pshufd      xmm3, xmm7, R_SHUFFLE_D( 0, 0, 0, 0 )
    mulps       xmm3, xmm0
    pshufd      xmm4, xmm7, R_SHUFFLE_D( 1, 1, 1, 1 )
    mulps       xmm4, xmm1
    addps       xmm3, xmm4
    pshufd      xmm5, xmm7, R_SHUFFLE_D( 2, 2, 2, 2 )
    mulps       xmm5, xmm2
    addps       xmm3, xmm5
    andps       xmm7, SIMD_SP_clearFirstThree
    addps       xmm3, xmm7

    movaps      [rdi+rax-JOINTMAT_SIZE+16], xmm3

    movaps      xmm7, [rcx+rax-JOINTMAT_SIZE+32]                # repaired: papers-repairs.md K-C
    pshufd      xmm3, xmm7, R_SHUFFLE_D( 0, 0, 0, 0 )
    mulps       xmm3, xmm0
    pshufd      xmm4, xmm7, R_SHUFFLE_D( 1, 1, 1, 1 )
    mulps       xmm4, xmm1
    addps       xmm3, xmm4                                      # repaired: papers-repairs.md K-C
    pshufd      xmm5, xmm7, R_SHUFFLE_D( 2, 2, 2, 2 )           # repaired: papers-repairs.md K-C
    mulps       xmm5, xmm2                                      # repaired: papers-repairs.md K-C
    addps       xmm3, xmm5                                      # repaired: papers-repairs.md K-C
    andps       xmm7, SIMD_SP_clearFirstThree                   # repaired: papers-repairs.md K-C
    addps       xmm3, xmm7                                      # repaired: papers-repairs.md K-C

    movaps      [rdi+rax-JOINTMAT_SIZE+32], xmm3                # repaired: papers-repairs.md K-C

    jl          loopJoint                                       # repaired: papers-repairs.md K-C
done:                                                           # repaired: papers-repairs.md K-C
LISTING_END oracle_TransformJoints

#undef result
#undef joints1
#undef joints2
#undef numJoints
#undef loopJoint
#undef done
