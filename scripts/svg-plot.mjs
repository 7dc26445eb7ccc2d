// SPDX-License-Identifier: MIT

/**
 * Plots for the documentation, as SVG text: line charts and grouped bar charts, on linear or logarithmic axes, singly
 * or stacked. The picture carries its own light background, so that it reads the same on a light and on a dark page.
 * The same data gives the same text, byte for byte.
 *
 *     lineChart({ title, x: { label }, y: { label, scale: 'log' }, series: [{ name, points: [[1, 0.5], [2, 0.25]] }] })
 *     barChart({ title, categories: ['n = 1', 'n = 2'], y: { label }, series: [{ name, values: [3, 4] }] })
 *     stack([one, other])
 *
 * An axis is `{ label, scale: 'linear' | 'log', min, max, ticks }`; all but the label may be left out. A series may set
 * its `color`, `dash` (an SVG dash array) and, in a line chart, `markers: true`. Both charts take `subtitle`, `width`
 * and `height`; a line chart also `notes: [{ x, y, text }]`, marked points with a text beside each.
 */

/** Told apart by colour-blind readers too (Okabe and Ito). */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#5f5f5f'];
const INK = '#24292f';
const FAINT_INK = '#57606a';
const GRID = '#e4e7eb';
const FRAME = '#d0d7de';
const FONT = 'Helvetica, Arial, Liberation Sans, sans-serif';

const number = (value) => String(Number(value.toFixed(1)));
const escaped = (text) => String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
/** Near enough for laying out a legend; nothing here can measure a font. */
const textWidth = (text, size) => [...text].length * size * 0.54;

function element(name, attributes, content = '') {
    const list = Object.entries(attributes)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => ` ${key}="${typeof value === 'number' ? number(value) : value}"`);
    return content === '' ? `<${name}${list.join('')}/>` : `<${name}${list.join('')}>${content}</${name}>`;
}

const line = (x1, y1, x2, y2, stroke, more = {}) => element('line', { x1, y1, x2, y2, stroke, ...more });

function text(x, y, content, { size = 12, anchor = 'start', fill = INK, ...more } = {}) {
    return element('text', { x, y, 'font-size': size, 'text-anchor': anchor, fill, ...more }, escaped(content));
}

function superscript(integer) {
    return [...String(integer)].map((c) => (c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)])).join('');
}

function niceStep(min, max) {
    const rough = (max - min) / 6;
    const power = Number(`1e${Math.floor(Math.log10(rough))}`);
    return [1, 2, 5, 10].find((factor) => factor * power >= rough) * power;
}

function linearTicks(min, max) {
    const step = niceStep(min, max);
    const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const ticks = [];
    for (let k = Math.ceil(min / step - 1e-9); k * step <= max + step * 1e-9; k++) {
        ticks.push({ value: k * step, label: (k * step).toFixed(decimals) });
    }
    return ticks;
}

function logTicks(min, max) {
    const first = Math.floor(Math.log10(min) + 1e-9);
    const last = Math.ceil(Math.log10(max) - 1e-9);
    const every = Math.ceil((last - first) / 10);
    const plain = first >= -2 && last <= 4;
    const ticks = [];
    for (let decade = first; decade <= last; decade++) {
        const labelled = (decade - first) % every === 0;
        const label = plain ? String(Number(`1e${decade}`)) : `10${superscript(decade)}`;
        ticks.push({ value: Number(`1e${decade}`), label: labelled ? label : '' });
        if (last - first > 2) continue;
        for (const digit of [2, 5]) {
            const value = Number(`${digit}e${decade}`);
            ticks.push({ value, label: plain ? String(value) : `${digit}·10${superscript(decade)}` });
        }
    }
    return ticks.filter(({ value }) => value >= min * (1 - 1e-9) && value <= max * (1 + 1e-9));
}

/** The axis with what was left out filled in from the values; `at` gives a value's place on it, from 0 to 1. */
function makeAxis({ label = '', scale = 'linear', min, max, ticks }, values, fromZero = false) {
    const log = scale === 'log';
    const usable = values.filter((value) => Number.isFinite(value) && (!log || value > 0));
    let low = min ?? Math.min(...usable, ...(fromZero && !log ? [0] : []));
    let high = max ?? Math.max(...usable);
    if (log) {
        low = min ?? Number(`1e${Math.floor(Math.log10(low) + 1e-9)}`);
        high = max ?? Number(`1e${Math.ceil(Math.log10(high) - 1e-9)}`);
        if (low === high) high *= 10;
    } else {
        if (low === high) high += 1;
        if (min === undefined || max === undefined) {
            const step = niceStep(low, high);
            low = min ?? Math.floor(low / step + 1e-9) * step;
            high = max ?? Math.ceil(high / step - 1e-9) * step;
        }
    }
    const place = log ? Math.log10 : (value) => value;
    const marks = ticks?.map((tick) => (typeof tick === 'object' ? tick : { value: tick, label: String(tick) }));
    return {
        label,
        log,
        ticks: marks ?? (log ? logTicks(low, high) : linearTicks(low, high)),
        at: (value) => (place(value) - place(low)) / (place(high) - place(low)),
    };
}

/** Title, legend, frame and vertical axis: what both kinds of chart have; `draw` fills in the rest. */
function chart({ title, subtitle, width = 760, height = 400 }, series, y, bottom, draw) {
    const sheet = { x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 6, fill: '#ffffff', stroke: FRAME };
    const parts = [element('rect', sheet)];
    parts.push(text(20, 30, title, { size: 16, 'font-weight': 'bold' }));
    if (subtitle) parts.push(text(20, 50, subtitle, { fill: FAINT_INK, size: 12.5 }));

    let [atX, atY] = [20, subtitle ? 73 : 53];
    for (const { name, color, dash, markers, bar } of series) {
        const indent = bar ? 18 : 30;
        const needed = indent + textWidth(name, 12.5) + 22;
        if (atX > 20 && atX + needed > width - 10) [atX, atY] = [20, atY + 20];
        if (bar) {
            parts.push(element('rect', { x: atX, y: atY - 10, width: 12, height: 12, fill: color }));
        } else {
            const look = { 'stroke-width': 2.2, 'stroke-dasharray': dash };
            parts.push(line(atX, atY - 4, atX + 24, atY - 4, color, look));
            if (markers) parts.push(element('circle', { cx: atX + 12, cy: atY - 4, r: 3.4, fill: color }));
        }
        parts.push(text(atX + indent, atY, name, { size: 12.5 }));
        atX += needed;
    }

    const widest = Math.max(...y.ticks.map((tick) => textWidth(tick.label, 12)));
    const plot = { left: 20 + 22 + widest, top: atY + 24, right: width - 24, bottom: height - bottom };
    const down = (value) => plot.bottom - y.at(value) * (plot.bottom - plot.top);
    for (const { value, label } of y.ticks) {
        parts.push(line(plot.left, down(value), plot.right, down(value), GRID));
        if (label) parts.push(text(plot.left - 8, down(value) + 4, label, { anchor: 'end' }));
    }
    const middle = (plot.top + plot.bottom) / 2;
    const turn = `rotate(-90 22 ${number(middle)})`;
    parts.push(text(22, middle + 4, y.label, { size: 12.5, anchor: 'middle', fill: FAINT_INK, transform: turn }));
    parts.push(...draw(plot, down));
    parts.push(line(plot.left, plot.top, plot.left, plot.bottom, FAINT_INK));
    parts.push(line(plot.left, plot.bottom, plot.right, plot.bottom, FAINT_INK));

    const size = { width, height, viewBox: `0 0 ${width} ${height}` };
    const head = { xmlns: 'http://www.w3.org/2000/svg', ...size, 'font-family': FONT, role: 'img' };
    return `${element('svg', head, `\n<title>${escaped(title)}</title>\n${parts.join('\n')}\n`)}\n`;
}

const withColors = (series, more = {}) =>
    series.map((one, index) => ({ color: COLORS[index % COLORS.length], ...one, ...more }));

/** The stretches of a curve that can be drawn: it breaks where a value is missing, or not positive on a log axis. */
function stretches(points, drawable) {
    const found = [[]];
    for (const point of points) {
        if (drawable(point)) found.at(-1).push(point);
        else if (found.at(-1).length > 0) found.push([]);
    }
    return found.filter((stretch) => stretch.length > 0);
}

export function lineChart(options) {
    const series = withColors(options.series);
    const points = series.flatMap((one) => one.points);
    const x = makeAxis(
        options.x,
        points.map((point) => point[0]),
    );
    const y = makeAxis(
        options.y,
        points.map((point) => point[1]),
    );
    const drawable = ([px, py]) =>
        Number.isFinite(px) && Number.isFinite(py) && (!x.log || px > 0) && (!y.log || py > 0);
    return chart(options, series, y, 58, (plot, down) => {
        const parts = [];
        const across = (value) => plot.left + x.at(value) * (plot.right - plot.left);
        for (const { value, label } of x.ticks) {
            if (x.at(value) > 0) parts.push(line(across(value), plot.top, across(value), plot.bottom, GRID));
            parts.push(line(across(value), plot.bottom, across(value), plot.bottom + 5, FAINT_INK));
            parts.push(text(across(value), plot.bottom + 19, label, { anchor: 'middle' }));
        }
        const centre = (plot.left + plot.right) / 2;
        parts.push(text(centre, plot.bottom + 42, x.label, { size: 12.5, anchor: 'middle', fill: FAINT_INK }));

        // An inner <svg> cuts off what lies outside the axes.
        const box = { x: plot.left, y: plot.top, width: plot.right - plot.left, height: plot.bottom - plot.top };
        const curves = series.flatMap(({ points: all, color, dash }) =>
            stretches(all, drawable).map((stretch) => {
                const place = ([px, py]) => `${number(across(px) - plot.left)},${number(down(py) - plot.top)}`;
                const look = { fill: 'none', stroke: color, 'stroke-width': 2.2, 'stroke-linejoin': 'round' };
                return element('polyline', { points: stretch.map(place).join(' '), ...look, 'stroke-dasharray': dash });
            }),
        );
        parts.push(element('svg', box, `\n${curves.join('\n')}\n`));
        const inside = ([px, py]) => drawable([px, py]) && [x.at(px), y.at(py)].every((at) => at >= 0 && at <= 1);
        for (const { points: all, color, markers } of series) {
            if (!markers) continue;
            for (const [px, py] of all.filter(inside)) {
                parts.push(element('circle', { cx: across(px), cy: down(py), r: 3.4, fill: color }));
            }
        }
        for (const { x: px, y: py, text: words } of options.notes ?? []) {
            const [cx, cy] = [across(px), down(py)];
            const fits = cx + 10 + textWidth(words, 12) < plot.right;
            parts.push(element('circle', { cx, cy, r: 4, fill: '#ffffff', stroke: INK, 'stroke-width': 1.6 }));
            parts.push(text(fits ? cx + 10 : cx - 10, cy - 6, words, { anchor: fits ? 'start' : 'end' }));
        }
        return parts;
    });
}

/**
 * Bars beside one another, a group for each category; '\n' in a category's name breaks the line. `format` writes a
 * bar's value above it. A missing value (null) leaves a gap.
 */
export function barChart(options) {
    const { categories, format } = options;
    const series = withColors(options.series, { bar: true });
    const y = makeAxis(
        options.y,
        series.flatMap((one) => one.values.filter((value) => value !== null)),
        true,
    );
    const rows = Math.max(...categories.map((category) => category.split('\n').length));
    const bottom = 22 + rows * 15 + (options.x?.label ? 22 : 0);
    return chart(options, series, y, bottom, (plot, down) => {
        const parts = [];
        const group = (plot.right - plot.left) / categories.length;
        const width = Math.min((group * 0.78) / series.length, 64);
        const base = y.log ? plot.bottom : down(0);
        categories.forEach((category, index) => {
            const centre = plot.left + (index + 0.5) * group;
            category.split('\n').forEach((row, k) => {
                parts.push(text(centre, plot.bottom + 18 + 15 * k, row, { anchor: 'middle' }));
            });
            series.forEach(({ values, color }, k) => {
                const value = values[index];
                if (value === null || value === undefined || (y.log && value <= 0)) return;
                const left = centre + (k - series.length / 2) * width;
                const [top, end] = [Math.min(down(value), base), Math.max(y.log ? base : down(value), base)];
                const gap = Math.min(1.5, width * 0.08);
                const place = { x: left + gap, y: top, width: width - 2 * gap, height: Math.max(end - top, 0.5) };
                parts.push(element('rect', { ...place, fill: color }));
                if (!format) return;
                const above = value < 0 ? end + 12 : top - 4;
                parts.push(text(left + width / 2, above, format(value), { size: 10.5, anchor: 'middle' }));
            });
        });
        if (!y.log && base < plot.bottom - 0.5) parts.push(line(plot.left, base, plot.right, base, FAINT_INK));
        if (options.x?.label) {
            const look = { size: 12.5, anchor: 'middle', fill: FAINT_INK };
            parts.push(text((plot.left + plot.right) / 2, plot.bottom + bottom - 14, options.x.label, look));
        }
        return parts;
    });
}

/** Charts one below the other in one picture. */
export function stack(charts, gap = 14) {
    let [width, height] = [0, 0];
    const placed = charts.map((svg) => {
        const [, w, h] = /^<svg[^>]* width="(\d+)" height="(\d+)"/.exec(svg).map(Number);
        const inner = svg.trimEnd().replace('<svg xmlns="http://www.w3.org/2000/svg"', `<svg x="0" y="${height}"`);
        width = Math.max(width, w);
        height += h + gap;
        return inner;
    });
    const size = { width, height: height - gap, viewBox: `0 0 ${width} ${height - gap}` };
    return `${element('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size }, `\n${placed.join('\n')}\n`)}\n`;
}
