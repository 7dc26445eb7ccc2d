// SPDX-License-Identifier: MIT

/** Figures 1 to 4 of Eberly's article, drawn again: four panels of curves over t in one SVG, in the style of docs/images. */

const PANEL = { width: 380, height: 290, left: 56, right: 16, top: 66, bottom: 40 };
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#8c959f'];
const STEPS = 100;

const text = (x, y, size, content, rest = '') =>
    `<text x="${x}" y="${y}" font-size="${size}" fill="#24292f"${rest}>${content}</text>`;

/** `curves` are `[name, function of t]`; `marks` are the y to be named on the axis. */
function panel({ title, curves, marks, label }, index) {
    const { width, height, left, right, top, bottom } = PANEL;
    const [low, high] = [Math.min(...marks), Math.max(...marks)];
    const x = (t) => +(left + t * (width - left - right)).toFixed(1);
    const y = (value) => +(height - bottom - ((value - low) / (high - low)) * (height - bottom - top)).toFixed(1);
    const line = (t0, v0, t1, v1) => `<line x1="${x(t0)}" y1="${y(v0)}" x2="${x(t1)}" y2="${y(v1)}" stroke="#e4e7eb"/>`;
    const legend = (width - 40) / curves.length;
    return [
        `<svg x="${(index % 2) * width}" y="${Math.floor(index / 2) * height}" width="${width}" height="${height}">`,
        text(20, 26, 13, title, ' font-weight="bold"'),
        ...marks.map(
            (mark) => line(0, mark, 1, mark) + text(left - 6, y(mark) + 4, 11, label(mark), ' text-anchor="end"'),
        ),
        ...[0, 0.25, 0.5, 0.75, 1].map(
            (t) => line(t, low, t, high) + text(x(t), height - 22, 11, t, ' text-anchor="middle"'),
        ),
        text(x(0.5), height - 7, 11, 't', ' text-anchor="middle" font-style="italic"'),
        ...curves.flatMap(([name, of], k) => {
            const points = Array.from({ length: STEPS + 1 }, (_, i) => `${x(i / STEPS)},${y(of(i / STEPS))}`).join(' ');
            const from = 20 + k * legend;
            return [
                `<polyline points="${points}" fill="none" stroke="${COLOURS[k]}" stroke-width="1.8"/>`,
                `<line x1="${from}" y1="44" x2="${from + 14}" y2="44" stroke="${COLOURS[k]}" stroke-width="2.2"/>`,
                text(from + 18, 48, 11, name),
            ];
        }),
        '</svg>',
    ].join('\n');
}

/** All figures, one panel each, two in a row. */
export function drawFigures(figures) {
    const [width, height] = [2 * PANEL.width, Math.ceil(figures.length / 2) * PANEL.height];
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Helvetica, Arial, Liberation Sans, sans-serif" role="img">
<title>Figures 1 to 4 of Eberly's article, n = 8</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6" fill="#ffffff" stroke="#d0d7de"/>
${figures.map(panel).join('\n')}
</svg>
`;
}
