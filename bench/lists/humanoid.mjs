// SPDX-License-Identifier: MIT

/** Joints of a humanoid: how long the chains are decides how fast a skeleton can be transformed. */
export const SKELETON = 64;

/** The parents of a humanoid, depth first. */
function humanoid() {
    const parents = [-1];
    const add = (parent, count = 1) => {
        let last = parent;
        for (let k = 0; k < count; k++) last = parents.push(last) - 1;
        return last;
    };
    const hips = add(0);
    const chest = add(hips, 3);
    const head = add(chest, 2);
    for (let k = 0; k < 3; k++) add(head); // Jaw and eyes.
    for (let side = 0; side < 2; side++) {
        const upperArm = add(chest, 2);
        add(upperArm); // A twist bone, as after each of the next three.
        const foreArm = add(upperArm);
        add(foreArm);
        const hand = add(foreArm);
        for (let finger = 0; finger < 5; finger++) add(hand, 3);
    }
    for (let side = 0; side < 2; side++) {
        const thigh = add(hips);
        add(thigh);
        const shin = add(thigh);
        add(shin);
        add(shin, 2);
    }
    return parents;
}

/** The parents of so many humanoids, one after the other. */
export function crowd(skeletons) {
    const parents = humanoid();
    return Array.from({ length: skeletons }, (_, k) =>
        parents.map((parent) => (parent < 0 ? parent : parent + k * SKELETON)),
    ).flat();
}
