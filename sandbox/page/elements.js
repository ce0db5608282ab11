/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} className
 * @param {(Node | string)[]} content
 */
export function element(tag, className, ...content) {
  const made = document.createElement(tag)
  if (className !== '') made.className = className
  made.append(...content)
  return made
}

/** @param {string} id */
export function place(id) {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}

/** @param {number} ms */
export function duration(ms) {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`
}

/** @param {Date} at */
export function timeOf(at) {
  return at.toLocaleTimeString('en-GB')
}

/**
 * A text with a button that copies it. Without access to the clipboard the button selects the text.
 *
 * @param {string} text
 */
export function copyable(text) {
  const code = element('code', '', text)
  const button = element('button', '', 'Copy')
  button.type = 'button'
  button.addEventListener('click', () => {
    getSelection()?.selectAllChildren(code)
    const done = () => (button.textContent = 'Copied')
    if (isSecureContext) void navigator.clipboard.writeText(text).then(done, () => undefined)
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  })
  return element('span', 'copyable', code, button)
}
