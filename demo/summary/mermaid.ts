import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** What the renderer makes of a fenced block that says ```mermaid. */
export const MERMAID_CODE_CLASS = 'language-mermaid'

/** The scripts that draw the diagrams of a page: Mermaid's build in one file, then the code that calls it. */
export async function readDrawingScripts(): Promise<string[]> {
  const library = createRequire(import.meta.url).resolve('@mermaid-js/tiny')
  return [await readFile(library, 'utf8'), DRAW]
}

/** Replaces each code block by its diagram, and draws anew when the colour scheme changes. Runs in the browser. */
const DRAW = `
const dark = matchMedia('(prefers-color-scheme: dark)')
const diagrams = [...document.querySelectorAll('pre > code.${MERMAID_CODE_CLASS}')].map((code) => {
  const figure = document.createElement('div')
  figure.className = 'diagram'
  const block = code.parentElement
  block.before(figure)
  return { figure, block, source: code.textContent }
})
async function draw() {
  mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme: dark.matches ? 'dark' : 'default' })
  for (const [index, { figure, block, source }] of diagrams.entries()) {
    try {
      // Rendered where it will stand: a gantt takes its width from there.
      const { svg } = await mermaid.render('diagram-' + index, source, figure)
      figure.innerHTML = svg
      block.hidden = true
    } catch (error) {
      figure.textContent = 'Unable to render rich display: ' + error.message
      block.hidden = false
    }
  }
  document.documentElement.dataset.diagrams = 'drawn'
}
dark.addEventListener('change', draw)
draw()
`
