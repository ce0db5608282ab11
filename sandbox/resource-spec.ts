import { z } from 'zod'
import { dnsLabel, flag, freeForm, identifier, stringMap, text } from './fields.ts'

/**
 * Cores, rounded to one decimal. No upper bound: only self-hosted deployments have a resource spec, and the
 * contract's Limits section lets these go above the stated ceilings of 8 and 16.
 */
const coresFrom = (least: z.ZodNumber) =>
  least.transform((value) => Math.max(0.1, Math.round(value * 10) / 10)).nullish()
const cores = coresFrom(z.number().min(0.1))
/** The contract states no lower bound. */
const databaseCores = coresFrom(z.number().positive())
const megabytes = z.int().min(128).multipleOf(128).nullish()
const count = z.int().min(0).nullish()
const amount = z.int().min(1).nullish()
const volumeMount = z.object({
  name: z.string(),
  mountPath: z.string(),
  subPath: text,
  mountPropagation: text,
  readOnly: flag,
  subPathExpr: text,
})

const envVar = z
  .object({ name: identifier, value: text, valueFrom: freeForm })
  .refine(({ value, valueFrom }) => !value || !valueFrom, {
    message: 'valueFrom cannot be used when value is non-empty',
    path: ['valueFrom'],
  })

const container = z
  .object({
    name: dnsLabel,
    image: z.string().min(1),
    imagePullPolicy: z.enum(['Always', 'Never', 'IfNotPresent']).nullish(),
    command: z.array(z.string()).nullish(),
    args: z.array(z.string()).nullish(),
    workingDir: text,
    env: z.array(envVar).nullish(),
    envFrom: z.array(z.record(z.string(), z.unknown())).nullish(),
    resources: z.object({ limits: stringMap, requests: stringMap }).nullish(),
    volumeMounts: z.array(volumeMount).nullish(),
    securityContext: freeForm,
    restartPolicy: z.enum(['Always', 'OnFailure']).nullish(),
  })
  .meta({ id: 'Container' })

const volume = z.object({
  name: dnsLabel,
  configMap: freeForm,
  secret: freeForm,
  emptyDir: freeForm,
  persistentVolumeClaim: freeForm,
  nfs: freeForm,
  projected: freeForm,
  downwardAPI: freeForm,
  csi: freeForm,
})

const fields = z.object({
  min_scale: count,
  max_scale: count,
  cpu: cores,
  cpu_limit: cores,
  memory_mb: megabytes,
  memory_limit_mb: megabytes,
  queue_min_scale: count,
  queue_max_scale: count,
  queue_cpu: cores,
  queue_cpu_limit: cores,
  queue_memory_mb: megabytes,
  queue_memory_limit_mb: megabytes,
  cache_cpu: cores,
  cache_cpu_limit: cores,
  cache_memory_mb: megabytes,
  cache_memory_limit_mb: megabytes,
  core_cpu: cores,
  core_cpu_limit: cores,
  core_memory_mb: megabytes,
  core_memory_limit_mb: megabytes,
  labels: stringMap,
  annotations: stringMap,
  service_account_name: text,
  image_pull_secrets: z.array(z.object({ name: z.string() })).nullish(),
  volumes: z.array(volume).nullish(),
  volume_mounts: z.array(volumeMount).nullish(),
  init_containers: z.array(container).nullish(),
  sidecars: z.array(container).nullish(),
  db_cpu: databaseCores,
  db_cpu_limit: databaseCores,
  db_memory_mb: megabytes,
  db_memory_limit_mb: megabytes,
  db_storage_gi: amount,
  db_max_connections: amount,
})

type Fields = z.infer<typeof fields>
type Numeric = { [Key in keyof Fields]: Fields[Key] extends number | null | undefined ? Key : never }[keyof Fields]

/** Pairs of fields whose first must be at least the second, and the field that replaces the second if it is not set. */
const ORDERED: readonly (readonly [upper: Numeric & string, lower: Numeric & string, instead?: Numeric])[] = [
  ['max_scale', 'min_scale'],
  ['cpu_limit', 'cpu'],
  ['memory_limit_mb', 'memory_mb'],
  ['queue_max_scale', 'queue_min_scale', 'min_scale'],
  ['queue_cpu_limit', 'queue_cpu', 'cpu'],
  ['queue_memory_limit_mb', 'queue_memory_mb', 'memory_mb'],
  ['cache_cpu_limit', 'cache_cpu'],
  ['cache_memory_limit_mb', 'cache_memory_mb'],
  ['core_cpu_limit', 'core_cpu'],
  ['core_memory_limit_mb', 'core_memory_mb'],
  ['db_cpu_limit', 'db_cpu'],
  ['db_memory_limit_mb', 'db_memory_mb'],
]

interface Problem {
  path: (string | number)[]
  message: string
}

function disorder(spec: Fields): Problem[] {
  return ORDERED.flatMap(([upper, lower, instead]) => {
    const ceiling = spec[upper]
    const floor = spec[lower] ?? (instead === undefined ? undefined : spec[instead])
    const isFine = typeof ceiling !== 'number' || typeof floor !== 'number' || ceiling >= floor
    return isFine ? [] : [{ path: [upper], message: `${upper} must be at least ${lower}, which is ${floor}` }]
  })
}

function doubledVolumes({ volumes }: Fields): Problem[] {
  const names = (volumes ?? []).map(({ name }) => name)
  return names.flatMap((name, n) =>
    names.indexOf(name) < n ? [{ path: ['volumes', n, 'name'], message: `volume ${name} occurs twice` }] : [],
  )
}

function danglingMounts(spec: Fields): Problem[] {
  const known = new Set(spec.volumes?.map(({ name }) => name))
  const own = (spec.volume_mounts ?? []).map(({ name }, n) => ({ name, path: ['volume_mounts', n, 'name'] }))
  const inner = (['init_containers', 'sidecars'] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ volumeMounts }, place) =>
      (volumeMounts ?? []).map(({ name }, n) => ({ name, path: [list, place, 'volumeMounts', n, 'name'] })),
    ),
  )
  return [...own, ...inner].flatMap(({ name, path }) =>
    known.has(name) ? [] : [{ path, message: `no volume is named ${name}` }],
  )
}

export const resourceSpec = fields
  .superRefine((spec, context) => {
    for (const problem of [...disorder(spec), ...doubledVolumes(spec), ...danglingMounts(spec)])
      context.addIssue({ code: 'custom', ...problem })
  })
  .meta({ id: 'ResourceSpec' })
