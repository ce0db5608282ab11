import { readFileSync } from 'node:fs'

/** The chart of docs/performance.md, drawn from the first table of that page: what the watch brings. */

interface Theme {
  text: string
  grid: string
  bars: readonly string[]
}

/** Colours of GitHub's light and dark pages. */
export const THEMES = {
  light: { text: '#1f2328', grid: '#d1d9e0', bars: ['#8250df', '#0969da', '#1a7f37', '#9a6700'] },
  dark: { text: '#f0f6fc', grid: '#3d444d', bars: ['#ab7df8', '#4493f8', '#3fb950', '#d29922'] },
} satisfies Record<string, Theme>

const PAGE = new URL('../../docs/performance.md', import.meta.url)
const TITLE = 'Lag of a fixed interval with as many requests ÷ lag of the watch'
/** Pixels. */
const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [760, 340, 40, 64, 44]
const FONT = '-apple-system, Segoe UI, Noto Sans, Helvetica, Arial, sans-serif'

interface Series {
  name: string
  /** By variation. */
  values: ReadonlyMap<string, number>
}

export function performanceChart(theme: Theme): string {
  const series = seriesIn(readFileSync(PAGE, 'utf8'))
  const variations = [...(series[0]?.values.keys() ?? [])]
  const highest = Math.max(...series.flatMap(({ values }) => [...values.values()]))
  const top = Math.ceil(highest / 2) * 2
  const heightOf = (value: number): number => ((HEIGHT - TOP - BOTTOM) * value) / top
  const yOf = (value: number): number => HEIGHT - BOTTOM - heightOf(value)
  const group = (WIDTH - LEFT - 16) / variations.length
  const bar = (group - 28) / series.length
  const text = (x: number, y: number, words: string, anchor = 'middle', size = 12): string =>
    `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" font-size="${size}">${words}</text>`
  const ticks = Array.from({ length: top / 2 + 1 }, (_, index) => index * 2)
  const grid = ticks.flatMap((value) => [
    `<path d="M${LEFT} ${round(yOf(value))}H${WIDTH - 16}" stroke="${theme.grid}"/>`,
    text(LEFT - 8, yOf(value) + 4, String(value), 'end'),
  ])
  const bars = variations.flatMap((variation, at) => [
    text(LEFT + group * (at + 0.5), HEIGHT - BOTTOM + 20, `variation ${variation}`),
    ...series.flatMap(({ values }, index) => {
      const value = values.get(variation) ?? 0
      const x = LEFT + group * at + 14 + bar * index
      const fill = theme.bars[index] ?? theme.text
      return [
        `<rect x="${round(x + 2)}" y="${round(yOf(value))}" width="${round(bar - 4)}" height="${round(heightOf(value))}" rx="2" fill="${fill}"/>`,
        text(x + bar / 2, yOf(value) - 5, value.toFixed(1), 'middle', 11),
      ]
    }),
  ])
  const legend = series.map(({ name }, index) => {
    const x = LEFT + index * 150
    return `<rect x="${x}" y="34" width="12" height="12" rx="2" fill="${theme.bars[index] ?? theme.text}"/>${text(x + 18, 44, name, 'start')}`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="${FONT}" fill="${theme.text}" role="img">`,
    `<title>${TITLE}</title>`,
    text(LEFT, 20, TITLE, 'start', 14),
    ...legend,
    ...grid,
    ...bars,
    '</svg>',
    '',
  ].join('\n')
}

/** The rows of the table, by the variations in its head. */
function seriesIn(page: string): Series[] {
  const lines = /^\| known of.*(?:\n\|.*)+/m.exec(page)?.[0].split('\n') ?? []
  const [head = [], , ...rows] = lines.map((line) => line.split('|').map((cell) => cell.trim()))
  const variations = head.slice(2, -1)
  const found = rows.map(([, name = '', ...values]) => {
    return { name, values: new Map(variations.map((variation, at) => [variation, Number(values[at])])) }
  })
  if (found.length < 2 || found.some(({ values }) => [...values.values()].some(Number.isNaN)))
    throw new Error('docs/performance.md has no table of the watch')
  return found
}

function round(pixels: number): string {
  return String(Math.round(pixels * 10) / 10)
}
