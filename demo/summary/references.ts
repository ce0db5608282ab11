import type { Element, ElementContent, Root, Text } from 'hast'

/** `@name` and `@org/team`, `#12` and `owner/repo#12`, where GitHub recognizes them: not within a word or a path. */
const REFERENCE =
  /(?<![\w/@#.&-])(?:@(?<mention>[a-z\d](?:-?[a-z\d]){0,38}(?:\/[\w.-]+)?)|(?<repository>[\w.-]+\/[\w.-]+)?#(?<issue>\d+))\b/gi

/** Their content is not changed. */
const UNTOUCHED: ReadonlySet<string> = new Set(['a', 'code', 'pre'])

/**
 * Links mentions and issue numbers as GitHub does, so that tests can detect text that would notify a user. A plugin for
 * rehype.
 */
export function linkReferences(): (tree: Root) => void {
  return (tree) => linkWithin(tree)
}

function linkWithin(parent: Root | Element): void {
  const { children } = parent
  // From the end, as a text may become several nodes.
  for (let at = children.length - 1; at >= 0; at--) {
    const child = children[at]
    if (child?.type === 'text') children.splice(at, 1, ...linked(child))
    if (child?.type === 'element' && !UNTOUCHED.has(child.tagName)) linkWithin(child)
  }
}

function linked({ value }: Text): ElementContent[] {
  const parts: ElementContent[] = []
  let from = 0
  for (const match of value.matchAll(REFERENCE)) {
    parts.push({ type: 'text', value: value.slice(from, match.index) }, linkTo(match))
    from = match.index + match[0].length
  }
  return [...parts, { type: 'text', value: value.slice(from) }]
}

function linkTo({ 0: text, groups }: RegExpExecArray): Element {
  const { mention, repository = 'octo-org/hello-agent', issue = '' } = groups ?? {}
  const [kind, path] =
    mention === undefined ? ['issue-link', `${repository}/issues/${issue}`] : ['user-mention', mention]
  return {
    type: 'element',
    tagName: 'a',
    properties: { className: [kind], href: `https://github.com/${path}` },
    children: [{ type: 'text', value: text }],
  }
}
