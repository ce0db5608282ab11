import { mutantsOf } from '../../scripts/mutants/mutant.ts'

export const SOURCES = mutantsOf({
  'sources/workspace-path.ts': {
    'The folder of Git can contain credentials.':
      "inside.split('/').includes('.git') → (inside.split('/')[0] === '.git')",
  },
  'sources/workspace-path.ts, by sources/disk-path.test.ts': {
    'A : leads to another name on Windows.':
      'if (!isAbsolute && hasDriveOrStream(written, path)) → if (written === path.sep)',
  },
  'sources/disk-path.ts': {
    'A path outside the workspace is refused.':
      "return relative.split(path.sep)[0] === '..' || path.isAbsolute(relative) → return path.isAbsolute(relative)",
    'The letters of a name have no case on some disks.':
      'return name.normalize().toLowerCase() → return name.normalize()',
    'Another drive is outside.':
      "return relative.split(path.sep)[0] === '..' || path.isAbsolute(relative) → return relative.split(path.sep)[0] === '..'",
    'A link in an archive has no \\.': 'target: withSlashes(target, path) → target',
    'An annotation has no \\.':
      'isOutside(relative, path) ? undefined : withSlashes(relative, path) → isOutside(relative, path) ? undefined : relative',
  },
  'sources/archive/walk.ts, by sources/archive/archive.test.ts': {
    'The folder of Git is not packed.': "if (name === '.git') return undefined →",
    'A link that leads outside is refused.':
      'return pathInside(root, await realPath(full), path) === undefined ? outside : link → return link',
    'A file in an ignored directory may be an exception.':
      '(docker?.hasExceptions === false && docker.ignores(at + name)) → docker?.ignores(at + name) === true',
  },
  'sources/archive/walk.ts, by sources/archive/forms.test.ts': {
    'A name may have another form of Unicode than a rule.':
      'return inNormalForm(name.normalize()) === true → return false',
    'A folder may have another form than a rule.': '|| (areNormal && isNormal(name))) → || isNormal(name))',
    'A rule may be in another form than ASCII names are.':
      'rules.written === rules.normal && isNormal(at) → isNormal(at)',
    'An exact rule of a .gitignore decides.': 'if (verdict !== undefined || → if (verdict === true ||',
    'The source may be ignored in another form.': '!ignoring([layer])(`${name}/`) → layer.at === layer.at',
    'A .dockerignore may have another form of Unicode.':
      ' || (isOtherForm(path) && isUnknown(path) && normal.ignores(path.normalize())) →',
    'An exact rule of a .dockerignore decides.': ' && isUnknown(path) →',
    'A .dockerignore may be in another form than ASCII names are.':
      'written !== normal || !isNormal(path) → !isNormal(path)',
  },
  'sources/archive/walk.ts, by sources/archive/left-out.test.ts': {
    'A file of secrets is not packed.': ' || secretsFiles.includes(disk.path.join(root, at)) →',
    'The folder of packages is not packed.': 'here.leavesOut(name) || secretsFiles → secretsFiles',
    'An empty folder may be a submodule.': 'if (count === 0) walk.emptyFolders.push(directory) →',
  },
  'sources/archive/walk.ts, by sources/archive/walk.test.ts': {
    'A file of secrets is known by the rules of the disk.': 'disk.path.join(root, at) → nodePath.join(root, at)',
    'A link is read by the rules of the disk.':
      'const { path, realPath } = disk → const [path, { realPath }] = [nodePath, disk]',
  },
  'sources/archive/left-out.ts': {
    'A file of values for one machine is not packed.':
      '(FOLDERS.has(name) || OF_MACHINE.test(name)) → FOLDERS.has(name)',
    'A name comes back by a line of its own.': ' && !broughtBack.has(name) →',
    'A pattern brings nothing back.': '/^!([^/]+)\\/?$/ → /!\\/?([^/]+)/',
  },
  'sources/archive/rule-files.ts, by sources/archive/left-out.test.ts': {
    'Only the files of the root bring a name back.': 'if (path.dirname(file) === this.#root) for → for',
  },
  'sources/archive/remarks.ts, by sources/archive/left-out.test.ts': {
    'A pointer is a small file.': 'bytes < MAX_POINTER_BYTES && POINTER → POINTER',
    'A private key has any name.': ' || isPrivateKey(name, beginning) →',
    'A text with a key in it is no key.': 'if (beginning[0] !== DASH && !PEM_NAME.test(name)) return false →',
    'Other files of values are named.': 'if (mayHoldValues(name)) this.#values.push(file) →',
    'Many small files are a large source, too.': 'if (!isLarge && this.#files <= this.#usual.files) → if (!isLarge)',
  },
  'sources/archive/submodules.ts, by sources/archive/left-out.test.ts': {
    'A folder that is no submodule may be empty.':
      'return emptyFolders.filter((folder) => submodules.has(folder)) → return [...emptyFolders]',
  },
  'sources/archive/archive.ts, by sources/archive/archive.test.ts': {
    'A file in another form of Unicode looks like what is written.': 'quote(at) + inOtherForm(at, normal) → quote(at)',
    'A folder in another form of Unicode looks like what is written.':
      '[(await existsInOtherForm(request)) ?? MISSING] → [MISSING]',
  },
  'sources/archive/archive.ts, by sources/archive/left-out.test.ts': {
    'The plan names what is not packed.': 'if (leftOut.length === 0) return [] → if (leftOut.length >= 0) return []',
    'A file that is not packed configures no app.':
      'if (outside !== undefined) return problem → if (outside === normal) return problem',
  },
  'files.ts, by sources/archive/archive.test.ts': {
    'Rules in UTF-16 are read.': "if (first === 0xff && second === 0xfe) return 'utf-16le' →",
    'Rules in UTF-16 are read, whatever the order of bytes.': "? 'utf-16be' : 'utf-8' → ? 'utf-8' : 'utf-8'",
  },
  'sources/archive/rule-files.ts, by sources/archive/archive.test.ts': {
    'Rules that would be read as none are refused.': "if (text.includes('\\0')) → if (text === '\\0')",
    'Rules that are not UTF-8 are a warning.': 'if (!isSound) this.#notUtf8.push(file) →',
  },
  'sources/archive/pack.ts, by sources/archive/archive.test.ts': {
    'A file that changes while it is read is not packed.':
      'if (after.size !== size || after.mtimeMs !== mtimeMs) throw → if (after.size < 0) throw',
  },
  'sources/yaml-file.ts, by sources/resource-spec/resource-spec.test.ts': {
    'A resource spec in another encoding is refused.':
      'if (!isUtf8(bytes) || bytes.includes(0)) → if (bytes.includes(0))',
    'A resource spec without text is refused.': 'if (!isUtf8(bytes) || bytes.includes(0)) → if (!isUtf8(bytes))',
    'A key that is set twice is a mistake.':
      'if (first === undefined) seen.set(name, at) → if (first !== at) seen.set(name, at)',
  },
  'sources/resource-spec/schema.ts, by sources/resource-spec/resource-spec.test.ts': {
    'A plan shows no secret of a label.': '    ...shownSecrets(document),\n →',
    'A plan shows no secret as the name of a label.':
      'return holdsSecret(key) ? [{ path: place, message: SHOWN_SECRET }] : → return',
    'A value in env may be a secret.': 'if (isBelowEnv(path)) return []\n  if (typeof document → if (typeof document',
    'A message shows no secret of a specification.': "return holdsSecret(text) ? '***' : text → return text",
    'A limit may equal its request.':
      'if (effective(upper) >= effective(lower)) return [] → if (effective(upper) > effective(lower)) return []',
  },
  'sources/findings.ts, by sources/resource-spec/resource-spec.test.ts': {
    'The name of a place shows no secret.': "if (holdsSecret(key)) return '[…]' →",
    'A key that may contain a secret is not shown.':
      "return mayHoldSecrets(path.slice(0, depth)) ? '[…]' : → return mayHoldSecrets([]) ? '[…]' :",
  },
  'sources/resource-spec/fields.ts': {
    'A value of the environment is not shown.': 'value === null || value === undefined ? value : NOT_SHOWN → value',
  },
})
