// SPDX-License-Identifier: MIT
import { lowestTenth, lowMean, medianOf, spreadOf, statisticsOf, stepOf } from '../../lib/bench/statistics';

describe('statistics of samples', () => {
    const samples = [9, 1, 5, 3, 7];

    test('minimum and quartiles, for any order of the samples, which do not change', () => {
        expect(statisticsOf(samples)).toEqual({ min: 1, lowerQuartile: 3, median: 5, upperQuartile: 7 });
        expect(samples).toEqual([9, 1, 5, 3, 7]);
        expect(medianOf(samples)).toBe(5);
        expect(statisticsOf([2])).toEqual({ min: 2, lowerQuartile: 2, median: 2, upperQuartile: 2 });
    });

    test('interpolates between two samples', () => {
        expect(medianOf([1, 2, 3, 10])).toBe(2.5);
        expect(statisticsOf([0, 10]).lowerQuartile).toBe(2.5);
        expect(lowestTenth(Array.from({ length: 11 }, (_, k) => k * 10))).toBe(10);
    });

    test('spread: half the distance of the quartiles, divided by the median', () => {
        expect(spreadOf(statisticsOf(samples))).toBe(0.4);
        expect(spreadOf(statisticsOf([4, 4, 4]))).toBe(0);
        expect(spreadOf(statisticsOf([0, 0, 0]))).toBe(0);
    });

    test('the mean of the lower half ignores slow samples', () => {
        expect(lowMean([1, 2, 3, 1000])).toBe(1.5);
        expect(lowMean([1, 2, 3, 1e9, 1e9])).toBe(2);
        expect(lowMean([7])).toBe(7);
    });

    test('the step of the clock', () => {
        expect(stepOf([364, 338, 364, 416, 338])).toBe(26);
        expect(stepOf([5, 5, 5])).toBe(0);
        // A rounding difference is not a step.
        expect(stepOf([0.1 + 0.2, 0.3, 0.4])).toBeCloseTo(0.1, 12);
    });
});
