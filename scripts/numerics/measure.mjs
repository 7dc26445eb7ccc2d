// SPDX-License-Identifier: MIT

/** What docs/numerics.md says in numbers: the coefficients, the forms, every slerp, and what goes wrong elsewhere. */

export { measureCoefficients, measureFits } from './measure/coefficients.mjs';
export { curveByAngle, curveOfThresholds, measureConstant, measureLengths } from './measure/curves.mjs';
export { measureEstimates, measureNaNs, measureThresholds } from './measure/elsewhere.mjs';
export { measureForms, measureLerps } from './measure/forms.mjs';
export { measureSlerps, sameBitsAs } from './measure/slerps.mjs';
