// SPDX-License-Identifier: MIT

/** Panels of curves in one SVG, in the style of docs/images. */

const PANEL = { width: 380, height: 290, left: 56, right: 24, top: 66, bottom: 40 };
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#8c959f'];

const text = (x, y, size, content, rest = '') =>
    `<text x="${x}" y="${y}" font-size="${size}" fill="#24292f"${rest}>${content}</text>`;

/** Where in a panel something is. */
function scaleOf(marks, from, to) {
    const places = marks.map(([place]) => place);
    const [low, high] = [Math.min(...places), Math.max(...places)];
    const at = (place) => +(from + ((place - low) / (high - low)) * (to - from)).toFixed(1);
    return { low, high, at };
}

function panelOf({ title, curves, xMarks, yMarks, xLabel, dots = false }, index) {
    const { width, height, left, right, top, bottom } = PANEL;
    const { low: x0, high: x1, at: x } = scaleOf(xMarks, left, width - right);
    const { low: y0, high: y1, at: y } = scaleOf(yMarks, height - bottom, top);
    const line = (fromX, fromY, toX, toY) =>
        `<line x1="${x(fromX)}" y1="${y(fromY)}" x2="${x(toX)}" y2="${y(toY)}" stroke="#e4e7eb"/>`;
    const legend = (width - 40) / curves.length;
    return [
        `<svg x="${(index % 2) * width}" y="${Math.floor(index / 2) * height}" width="${width}" height="${height}">`,
        text(20, 26, 13, title, ' font-weight="bold"'),
        ...yMarks.map(
            ([place, label]) =>
                line(x0, place, x1, place) + text(left - 6, y(place) + 4, 11, label, ' text-anchor="end"'),
        ),
        ...xMarks.map(
            ([place, label]) =>
                line(place, y0, place, y1) + text(x(place), height - 22, 11, label, ' text-anchor="middle"'),
        ),
        text(x((x0 + x1) / 2), height - 7, 11, xLabel, ' text-anchor="middle" font-style="italic"'),
        ...curves.flatMap(([name, points], k) => {
            const colour = COLOURS[k];
            const places = points.map(([px, py]) => `${x(px)},${y(py)}`);
            const from = 20 + k * legend;
            return [
                `<polyline points="${places.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.8"/>`,
                ...points.flatMap(([px, py]) =>
                    dots ? `<circle cx="${x(px)}" cy="${y(py)}" r="3" fill="${colour}"/>` : [],
                ),
                `<line x1="${from}" y1="44" x2="${from + 14}" y2="44" stroke="${colour}" stroke-width="2.2"/>`,
                text(from + 18, 48, 11, name),
            ];
        }),
        '</svg>',
    ].join('\n');
}

/**
 * Draws panels, two in a row.
 *
 * @param title Of the whole, for those who do not see it.
 * @param panels `{ title, curves, xMarks, yMarks, xLabel, dots }`: curves are `[name, points]`, marks `[place, label]`, and the axes go
 * from the least to the greatest mark.
 */
export function drawPanels(title, panels) {
    const [width, height] = [2 * PANEL.width, Math.ceil(panels.length / 2) * PANEL.height];
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Helvetica, Arial, Liberation Sans, sans-serif" role="img">
<title>${title}</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6" fill="#ffffff" stroke="#d0d7de"/>
${panels.map(panelOf).join('\n')}
</svg>
`;
}
