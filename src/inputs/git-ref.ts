import { isTag } from '../control-plane/settings.ts'
import * as accept from './parsers.ts'

const REF_PATH = /^(refs\/)?(heads|tags)\/(.+)$/

/** Texts that name no branch and no tag, unless a branch really is called so. `message`: the end of a sentence. */
const NO_REFS: readonly { form: RegExp; message: (match: readonly string[]) => string }[] = [
  {
    form: /^\/|\/\/|\/$|^refs(?:\/(?:heads|tags))?$/,
    message: () => 'has an empty part before, behind or between its /: look for an output or a variable that is empty',
  },
  {
    form: /^refs\/tags\/(refs\/(?:heads|tags)\/.+)$/,
    message: ([, ref]) => `has refs/ twice; did you mean ${ref?.replace(/^refs\/heads\//, '') ?? ''}?`,
  },
  {
    form: /^refs\/pull\/|^pull\/\d+\/(?:merge|head)$/,
    message: () =>
      'is a ref of a pull request, which the control plane does not build; did you mean ${{ github.head_ref }}?',
  },
  {
    form: /^(\d+\/(?:merge|head))$/,
    message: ([branch]) =>
      `is what github.ref_name is in a run of a pull request; did you mean \${{ github.head_ref }}? A branch that is called so is refs/heads/${branch ?? ''}`,
  },
  {
    form: /^(?:refs\/heads\/)?gh-readonly-queue\//,
    message: () =>
      'is the branch of a merge queue, which GitHub deletes minutes later: roll out its base branch, as in main',
  },
  {
    form: /^(?:refs\/heads\/|(?:refs\/remotes\/)?origin\/)?HEAD$/,
    message: () =>
      'names no branch: git reports it where no branch is checked out; did you mean ${{ github.ref_name }}?',
  },
  {
    form: /^(?:refs\/remotes\/)?origin\/(.+)$/,
    message: ([branch, name]) =>
      `is the name of a branch in a clone; did you mean ${name ?? ''}? A branch that is called so is refs/heads/${branch?.replace('refs/remotes/', '') ?? ''}`,
  },
]

/** Branches whose names alone would be read as something else: with refs/heads/ in front, they are accepted. */
const ODD_BRANCH = /^refs\/heads\/(origin\/.+|\d+\/(?:merge|head)|v?\d+\.\d[\w.+-]*)$/

/** Takes a branch or a tag in the form that the control plane takes (contract, "repo_ref"). */
export const gitRef = accept.withForm(
  {
    ...accept.text.form,
    description: 'a branch as main, or a tag as refs/tags/v1',
    pattern:
      /^(?!(?:heads|tags)\/.|refs\/heads\/(?!(?:refs\/)?(?:heads|tags)\/.|origin\/.|\d+\/(?:merge|head)$|v?\d+\.\d[\w.+-]*$))/,
  },
  (ref) => {
    for (const { form, message } of NO_REFS) {
      const match = form.exec(ref)
      if (match !== null) throw new accept.Unacceptable(message(match))
    }
    const [, oddBranch] = ODD_BRANCH.exec(ref) ?? []
    return accept.text(oddBranch ?? plainRef(ref))
  },
)

/** Takes `deployed`, or what GitHub resolves to a commit. */
export const commitish = accept.withForm(
  {
    ...accept.text.form,
    description: 'deployed, or a branch, a tag or a commit',
    pattern: /^(?!0{40}$|\/)(?!.*(?:\.\.|\/$|[\s~^:?*[\\]))/,
  },
  (ref) => {
    if (/^0{40}$/.test(ref))
      throw new accept.Unacceptable(
        'is no commit: GitHub reports it as the one before the first push to a branch; did you mean deployed?',
      )
    if (/^\/|\.\.|\/$|[\s~^:?*[\\]/.test(ref))
      throw new accept.Unacceptable('must be deployed, or a branch, a tag or a commit, as in main, v1.2 or 1a2b3c4')
    return accept.text(ref)
  },
)

function plainRef(ref: string): string {
  const [, full, folder, name = ''] = REF_PATH.exec(ref) ?? []
  if (folder === undefined) return ref
  const isBranch = folder === 'heads'
  if (isBranch && isTag(name))
    throw new accept.Unacceptable(
      `is a branch that the control plane would build as the tag ${name}: rename the branch`,
    )
  // The name of such a branch alone would look like a tag.
  const isUnclear = isBranch && REF_PATH.test(name)
  if (isUnclear && full !== undefined) return name
  const meant = isUnclear ? `refs/heads/${name}` : isBranch ? name : `refs/tags/${name}`
  if (ref === meant) return ref
  throw new accept.Unacceptable(`must be a branch as main, or a tag as refs/tags/v1; did you mean ${meant}?`)
}
