import { secretTexts } from '../src/secrets/lines.ts'
import { Redactor } from '../src/secrets/redact.ts'
import { cpuMsOf, growthOf, MOST_GROWTH } from './long-texts/growth.ts'
import { endSubjects, SUBJECTS } from './long-texts/subjects.ts'

/**
 * Every text from outside takes a time that grows with its length, not with its square. Lint proves it of the regular
 * expressions of src/; this finds loops, and expressions of packages, too. Fails if something grows faster.
 *
 * `npm run bench:long-texts -- <part of a name> …`: only these texts.
 */

const CHARACTERS = Array.from('/\\.-_=:;,!?()[]{}<>\'"`@#$%&*+|~^ \t\n\ra0é\u001b')
const LENGTH = 200_000
/** Of a text that another character follows: quadratic work still shows. */
const SHORT = 25_000
/** As often as stated. The short ones first: what fails, fails soon. */
const TEXTS: readonly ((times: number) => string)[] = [
  ...CHARACTERS.map((one, index) => {
    const end = CHARACTERS[(index + 9) % CHARACTERS.length] ?? ''
    return (times: number) => one.repeat(SHORT * times) + end
  }),
  ...CHARACTERS.map((one) => (times: number) => one.repeat(LENGTH * times)),
]

/** Secrets that begin with a part that their own rest begins with, too. */
const REPEATED = ['a', 'ab', 'aab', `${'a'.repeat(300)}b`]
const REDACTIONS: readonly [string, (own: Redactor, text: string) => unknown][] = [
  ['in a text', (own, text) => [own.redact(text), own.redactFreeText(text)]],
  ['in an address', (own, text) => own.reveals(text)],
  ['in lines', (own, text) => own.redactLines([text, text], false)],
  ['at the end of a log', (own, text) => own.redactTail([text, text], 50)],
]

/** Of many small texts: a pass for each would be quadratic. */
const linesOf = (rest: string) => (count: number) =>
  secretTexts(Array.from({ length: count }, (_, n) => `A${n}${rest}`).join('\n'))
const MANY: readonly [string, (count: number) => unknown][] = [
  ...['="x"', '=x', '=', '', "='x'"].map((rest): [string, (count: number) => unknown] => [
    `lines A${rest} of secrets`,
    linesOf(rest),
  ]),
  [
    'secrets in as many lines',
    (count) => {
      const own = new Redactor(() => undefined)
      own.learn(Array.from({ length: count }, (_, n) => `hush-${n}`))
      return Array.from({ length: count }, (_, n) => own.redact(`"a hush-${n} b"`))
    },
  ],
]

const quadratic = (text: string): string => text.replace(/\/+$/, '')
const slashes = (length: number) => (times: number) => `${'/'.repeat(length * times)}a`

/** On this machine, a quadratic expression takes so long for a part of a short text, and four times longer for all of it. */
const shortLimitMs = await cpuMsOf(() => quadratic(slashes(SHORT / 2)(1)))
const limitFor = ({ length }: string): number => (shortLimitMs * Math.max(SHORT, length)) / SHORT

/** The work on one subject, and the fastest growth of what takes long. */
async function fastestGrowth(work: (text: string) => unknown): Promise<number> {
  let fastest = 0
  for (const textOf of TEXTS) {
    const text = textOf(1)
    if ((await cpuMsOf(async () => await work(text))) <= limitFor(text)) continue
    fastest = Math.max(fastest, await growthOf(work, textOf))
  }
  return fastest
}

async function growthWithSecrets(work: (own: Redactor, text: string) => unknown): Promise<number> {
  let fastest = 0
  for (const part of REPEATED) {
    const find = (beginning: string): unknown => {
      const own = new Redactor(() => undefined)
      own.learn([`${beginning}c`])
      return work(own, `${beginning}d`.repeat(3))
    }
    fastest = Math.max(fastest, await growthOf(find, (times) => part.repeat((SHORT * times) / 5 / part.length)))
  }
  return fastest
}

function show(name: string, growth: number, isMet: boolean): void {
  if (!isMet) process.exitCode = 1
  const times = growth === 0 ? 'short'.padStart(6) : `${growth.toFixed(1)} ×`.padStart(6)
  console.log(`${isMet ? 'met   ' : 'MISSED'} ${times}  ${name}`)
}

const parts = process.argv.slice(2)
const isChosen = (name: string): boolean => parts.length === 0 || parts.some((part) => name.includes(part))

console.log(`Growth of the time for a text of four times the length: at most ${MOST_GROWTH}`)
const own = await growthOf(quadratic, slashes(SHORT / 2))
show('what is quadratic, to check the measurement', own, own > MOST_GROWTH)
for (const [name, work] of SUBJECTS.filter(([name]) => isChosen(name))) {
  const growth = await fastestGrowth(work)
  show(name, growth, growth <= MOST_GROWTH)
}
for (const [where, work] of REDACTIONS.filter(([where]) => isChosen(`a secret that repeats itself, ${where}`))) {
  const growth = await growthWithSecrets(work)
  show(`a secret that repeats itself, ${where}`, growth, growth <= MOST_GROWTH)
}
for (const [name, work] of MANY.filter(([name]) => isChosen(`thousands of ${name}`))) {
  const growth = await growthOf(work, (times) => 5_000 * times)
  show(`thousands of ${name}`, growth, growth <= MOST_GROWTH)
}
endSubjects()
