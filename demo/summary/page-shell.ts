import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

export interface SummaryPage {
  /** The job's name. */
  title: string
  /** Sanitized HTML. */
  content: string
  /** Run in this order, at the end of the page. */
  scripts: readonly string[]
}

/** The page around a job summary, as on GitHub. */
export async function renderShell({ title, content, scripts }: SummaryPage): Promise<string> {
  const css = createRequire(import.meta.url).resolve('github-markdown-css/github-markdown.css')
  const bodies = scripts.map(withoutTags)
  const heading = `${escapeHtml(title)} summary`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(bodies)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${heading}</title>
<style>
${await readFile(css, 'utf8')}
${SURROUNDINGS}</style>
</head>
<body>
<section class="card">
<header>${heading}</header>
<article class="markdown-body">
${content}
</article>
<footer>Job summary generated at run-time</footer>
</section>
${bodies.map((body) => `<script>${body}</script>`).join('\n')}
</body>
</html>
`
}

/** Allows no requests, and no scripts except ours, for any content of the summary. */
function contentPolicy(scripts: readonly string[]): string {
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  const allowed = hashes.length === 0 ? "'none'" : hashes.join(' ')
  return `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src ${allowed}`
}

/** In the text of a script these would end the script, or hide its end. */
function withoutTags(script: string): string {
  return script.replace(/<\/(?=script)/gi, '<\\/').replaceAll('<!--', '<\\!--')
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

const SURROUNDINGS = `
body { margin: 0; padding: 24px; background: #f6f8fa; }
.card { max-width: 1012px; margin: 0 auto; border: 1px solid #d1d9e0; border-radius: 6px; background: #fff; }
.card > header, .card > footer { font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
.card > header { padding: 16px; font-weight: 600; color: #1f2328; }
.card > footer { padding: 16px; font-size: 12px; color: #59636e; }
.card > .markdown-body { padding: 0 16px; }
.markdown-body .diagram { margin-bottom: 16px; text-align: center; }
.markdown-body .diagram svg { max-width: 100%; background: transparent; }
.markdown-body .user-mention { font-weight: 600; color: inherit; }
@media (prefers-color-scheme: dark) {
  body { background: #010409; }
  .card { border-color: #3d444d; background: #0d1117; }
  .card > header { color: #f0f6fc; }
  .card > footer { color: #9198a1; }
}
`
