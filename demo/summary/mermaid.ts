import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** The class that the renderer gives to a fenced block ```mermaid. */
export const MERMAID_CODE_CLASS = 'language-mermaid'

/** The scripts that draw the diagrams of a page: Mermaid's build in one file, then the code that calls it. */
export async function readDrawingScripts(): Promise<string[]> {
  const library = createRequire(import.meta.url).resolve('@mermaid-js/tiny')
  return [await readFile(library, 'utf8'), DRAW]
}

/** Replaces each code block by its diagram, and redraws when the colour scheme changes. Runs in the browser. */
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
      // Rendered in its final place: a gantt takes its width from there.
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
