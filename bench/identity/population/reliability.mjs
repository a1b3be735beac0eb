/** Draws the diagram of predicted against actual frequencies. On the diagonal, the confidence is accurate. */
export function diagram(bins) {
  const x = (value) => (60 + value * 340).toFixed(1);
  const y = (value) => (380 - value * 340).toFixed(1);
  const colours = ['#0b57d0', '#b3261e', '#188038', '#7b1fa2'];
  const names = [...new Set(bins.map(({ name }) => name))];
  const ticks = [0, 0.25, 0.5, 0.75, 1]
    .map(
      (tick) =>
        `<text x="${x(tick)}" y="400" text-anchor="middle">${tick}</text><text x="50" y="${Number(y(tick)) + 4}" text-anchor="end">${tick}</text>`,
    )
    .join('');
  const lines = names.map((name, index) => {
    const colour = colours[index];
    const points = bins.filter((bin) => bin.name === name);
    const path = points.map(({ confidence, oneDevice }) => `${x(confidence)},${y(oneDevice)}`).join(' ');
    const dots = points
      .map(({ confidence, oneDevice, pairs }) => {
        const title = `<title>${pairs} pairs</title>`;
        return `<circle cx="${x(confidence)}" cy="${y(oneDevice)}" r="4">${title}</circle>`;
      })
      .join('');
    const legend = `<text x="75" y="${60 + 18 * index}">${name}</text>`;
    return `<g fill="${colour}"><polyline fill="none" stroke="${colour}" points="${path}"/>${dots}${legend}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 430 440" font-family="sans-serif" font-size="12">
<title>Reliability: predicted confidence of compare against the actual share of one device, on held-out pairs</title>
<rect width="430" height="440" fill="#fff"/>
<rect x="60" y="40" width="340" height="340" fill="none" stroke="#999"/>
<path d="M60 380L400 40" stroke="#999" stroke-dasharray="4"/>
${ticks}
<text x="230" y="425" text-anchor="middle">predicted confidence</text>
<text x="16" y="210" text-anchor="middle" transform="rotate(-90 16 210)">actual share of one device</text>
${lines.join('\n')}
</svg>
`;
}
