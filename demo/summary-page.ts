import rehypeRaw from 'rehype-raw'
import rehypeSanitize from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { MERMAID_CODE_CLASS, readDrawingScripts } from './summary/mermaid.ts'
import { renderShell } from './summary/page-shell.ts'
import { linkReferences } from './summary/references.ts'

const toHtml = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeSanitize)
  .use(linkReferences)
  .use(rehypeStringify)
  .freeze()

/**
 * Converts a job summary's markdown to HTML as GitHub does: sanitized, with links for mentions and issue numbers.
 * Diagrams are still code.
 */
export function summaryToHtml(markdown: string): string {
  return String(toHtml.processSync(markdown))
}

/**
 * Renders one HTML file that shows a job summary as GitHub does, without a network.
 * @param title the job's name
 */
export async function renderSummaryPage(markdown: string, { title }: { title: string }): Promise<string> {
  const content = summaryToHtml(markdown)
  const scripts = content.includes(`class="${MERMAID_CODE_CLASS}"`) ? await readDrawingScripts() : []
  return await renderShell({ title, content, scripts })
}
