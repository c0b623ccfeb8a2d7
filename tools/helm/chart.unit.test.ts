import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { jobQueues } from '../../packages/server/src/operations/job-queues.ts';
import {
  isSecretSetting,
  type SettingKey,
  settings,
} from '../../packages/server/src/platform/config/index.ts';
import { hasHelm, helm } from './program.ts';
import { type Manifest, schemaMistakes } from './schemas.ts';

const chart = path.resolve(import.meta.dirname, '../../deploy/helm/svc');
const folder = path.join(import.meta.dirname, 'values');
const examples = readdirSync(folder);
const patience = 60_000;

type Container = {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly securityContext: unknown;
  readonly volumeMounts: readonly { readonly name: string }[];
};
type PodSpec = {
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: unknown;
  readonly terminationGracePeriodSeconds?: number;
  readonly volumes: readonly { readonly name: string }[];
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
};
type Labels = Readonly<Record<string, string>>;
type Workload = Manifest & {
  readonly metadata: { readonly name: string; readonly annotations?: Labels };
  readonly spec: {
    readonly replicas?: number;
    readonly selector: { readonly matchLabels: Labels };
    readonly template: {
      readonly metadata: { readonly labels: Labels; readonly annotations?: Labels };
      readonly spec: PodSpec;
    };
  };
};

async function render(...args: readonly string[]): Promise<readonly Manifest[]> {
  const { code, stdout, stderr } = await helm('template', 'alerts', chart, ...args);
  if (code !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
}

const renderExample = (file: string) => render('--values', path.join(folder, file));
const ofKind = <T extends Manifest>(manifests: readonly Manifest[], kind: string): readonly T[] =>
  manifests.filter((manifest) => manifest.kind === kind) as unknown as readonly T[];
const workloads = (manifests: readonly Manifest[]): readonly Workload[] => [
  ...ofKind<Workload>(manifests, 'Deployment'),
  ...ofKind<Workload>(manifests, 'Job'),
];
const containersOf = ({ spec: { template } }: Workload): readonly Container[] => [
  ...template.spec.containers,
  ...(template.spec.initContainers ?? []),
];
const isSelected = (labels: Labels, selector: Labels): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);
const variableOf = (container: Container | undefined, name: string): unknown => {
  const value = container?.env.find((variable) => variable.name === name)?.value;
  return value === undefined ? undefined : JSON.parse(value);
};

describe.runIf(hasHelm())('the chart', () => {
  test.each(examples)(
    'passes the lint of Helm and the schemas of the API: %s',
    async (file) => {
      const { code, stdout } = await helm('lint', '--strict', chart, '--values', path.join(folder, file));
      expect(stdout).not.toMatch(/WARNING|ERROR/);
      expect(code).toBe(0);
      const manifests = await renderExample(file);
      expect(manifests.length).toBeGreaterThan(3);
      expect(await schemaMistakes(manifests)).toEqual([]);
    },
    patience,
  );

  test(
    'fails the schemas with the name of the mistake if it contains one',
    async () => {
      const manifests = await renderExample('smallest.yaml');
      const [service] = ofKind<Manifest & { spec: object }>(manifests, 'Service');
      const wrong = [
        { ...service, spec: { ...service?.spec, sessionAfinity: 'None' } },
        { ...service, spec: { ...service?.spec, ports: [{ name: 'http' }] } },
      ] as unknown as Manifest[];
      const mistakes = (await schemaMistakes(wrong)).join('\n');
      expect(mistakes).toContain('sessionAfinity');
      expect(mistakes).toMatch(/Service: .*port/);
    },
    patience,
  );

  test.each(examples)('gives no process more rights than it needs: %s', async (file) => {
    const all = workloads(await renderExample(file));
    expect(all.length).toBeGreaterThan(0);
    for (const workload of all) {
      const pod = workload.spec.template.spec;
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const container of containersOf(workload)) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        const volumes = new Set(pod.volumes.map(({ name }) => name));
        expect(container.volumeMounts.filter(({ name }) => !volumes.has(name))).toEqual([]);
      }
    }
  });

  test.each(examples)('sets only existing settings and passes secrets as files: %s', async (file) => {
    const manifests = await renderExample(file);
    for (const container of workloads(manifests).flatMap(containersOf))
      for (const { name } of container.env.filter((variable) => /^Svc__/.test(variable.name))) {
        const key = name.replace(/_FILE$/, '').replaceAll('__', ':');
        expect(Object.keys(settings)).toContain(key);
        if (isSecretSetting(key as SettingKey)) expect(name).toMatch(/_FILE$/);
      }
    const maps = ofKind<Manifest & { data: Labels }>(manifests, 'ConfigMap');
    expect(maps.length).toBeGreaterThan(0);
    for (const { data } of maps)
      for (const key of Object.keys(JSON.parse(data['svc.config.json'] ?? '') as object)) {
        expect(Object.keys(settings)).toContain(key);
        expect(isSecretSetting(key as SettingKey)).toBe(false);
      }
  });

  test.each(examples)('selects the same pods in services, budgets and deployments: %s', async (file) => {
    const manifests = await renderExample(file);
    const deployments = ofKind<Workload>(manifests, 'Deployment');
    const hits = (selector: Labels) =>
      workloads(manifests)
        .filter(({ spec }) => isSelected(spec.template.metadata.labels, selector))
        .map(({ metadata }) => metadata.name);
    for (const { metadata, spec } of deployments)
      expect(hits(spec.selector.matchLabels)).toEqual([metadata.name]);
    for (const { metadata, spec } of ofKind<Workload>(manifests, 'PodDisruptionBudget'))
      expect(hits(spec.selector.matchLabels)).toEqual([metadata.name]);
    const services = ofKind<
      Manifest & { metadata: { name: string; labels: Labels }; spec: { selector: Labels } }
    >(manifests, 'Service');
    for (const { metadata, spec } of services)
      expect(hits(spec.selector)).toEqual(
        metadata.name.endsWith('-metrics')
          ? deployments.map((each) => each.metadata.name)
          : ['alerts-svc-web'],
      );
    for (const { spec } of ofKind<Workload>(manifests, 'ServiceMonitor'))
      expect(
        services
          .filter(({ metadata }) => isSelected(metadata.labels, spec.selector.matchLabels))
          .map(({ metadata }) => metadata.name),
      ).toEqual(['alerts-svc-metrics']);
  });

  test('runs pages and work as two kinds of processes, or as one', async () => {
    const rolesIn = async (file: string) =>
      Object.fromEntries(
        ofKind<Workload>(await renderExample(file), 'Deployment').map(({ metadata, spec }) => {
          const [container] = spec.template.spec.containers;
          return [
            metadata.name.replace('alerts-svc-', ''),
            [variableOf(container, 'Svc__Host__Roles'), variableOf(container, 'Svc__Jobs__Queues')],
          ];
        }),
      );
    expect(await rolesIn('smallest.yaml')).toEqual({
      web: [['Web'], undefined],
      'worker-work': [['Worker', 'Scheduler'], undefined],
    });
    expect(await rolesIn('one-kind-of-process.yaml')).toEqual({
      web: [['Web', 'Worker', 'Scheduler'], undefined],
    });
    expect(await rolesIn('everything.yaml')).toEqual({
      web: [['Web'], undefined],
      'worker-slow': [
        ['Worker', 'Scheduler'],
        ['migrations', 'ai'],
      ],
      'worker-work': [
        ['Worker', 'Scheduler'],
        ['runs', 'deliveries', 'contracts', 'schemas', 'maintenance'],
      ],
    });
  });

  test('sets the number of processes, unless an autoscaler does', async () => {
    const smallest = await renderExample('smallest.yaml');
    expect(ofKind(smallest, 'HorizontalPodAutoscaler')).toEqual([]);
    expect(ofKind<Workload>(smallest, 'Deployment').map(({ spec }) => spec.replicas)).toEqual([2, 2]);
    const scaled = await renderExample('everything.yaml');
    expect(ofKind(scaled, 'HorizontalPodAutoscaler')).toHaveLength(1);
    expect(
      ofKind<Workload>(scaled, 'Deployment').find(({ metadata }) => metadata.name.endsWith('web'))?.spec,
    ).not.toHaveProperty('replicas');
    const stopped = await render('--set', 'existingSecret=svc,web.replicas=0,workers.work.replicas=0');
    expect(ofKind<Workload>(stopped, 'Deployment').map(({ spec }) => spec.replicas)).toEqual([0, 0]);
  });

  test('gives a rollout time to drain, starts one after a changed setting, and runs migrations before it', async () => {
    const [before, after] = [
      await render('--set', 'existingSecret=svc'),
      await render('--set', 'existingSecret=svc,settings.Svc:Logging:Level=warn'),
    ];
    const checksums = [before, after].map((manifests) => {
      const [deployment] = ofKind<Workload>(manifests, 'Deployment');
      expect(deployment?.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(35);
      return deployment?.spec.template.metadata.annotations?.['checksum/settings'];
    });
    expect(new Set(checksums).size).toBe(2);
    const [job] = ofKind<Workload>(after, 'Job');
    expect(job?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    const hooked = ofKind<Manifest & { metadata: { annotations?: Labels }; data: Labels }>(
      after,
      'ConfigMap',
    ).find(({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== undefined);
    expect(JSON.parse(hooked?.data['svc.config.json'] ?? '')).toEqual({ 'Svc:Logging:Level': 'warn' });
    expect(ofKind(await renderExample('one-kind-of-process.yaml'), 'Job')).toEqual([]);
  });

  test.each([
    ['', 'existingSecret is needed'],
    ['existingSecret=svc,ingress.enabled=true', 'ingress.host is needed'],
    [
      'existingSecret=svc,secretSettings.Svc:EncryptionKey=null',
      'which entry of the Secret holds Svc:EncryptionKey',
    ],
    ['existingSecret=svc,nonsense=1', "'nonsense' not allowed"],
    ['existingSecret=svc,web.replica=3', "'replica' not allowed"],
    ['existingSecret=svc,web.replicas=-1', 'minimum'],
    ['existingSecret=svc,workers.Slow.replicas=1', "'Slow'"],
    ['existingSecret=svc,workers.slow.replicas=1,workers.slow.queues={runz}', "'runs'"],
    ['existingSecret=svc,settings.Svc:EncryptionKey=planted', "'Svc:EncryptionKey'"],
    ['existingSecret=svc,settings.LogLevel=warn', "'LogLevel'"],
    ['existingSecret=svc,extraEnv[0].name=Svc__EncryptionKey,extraEnv[0].value=planted', 'extraEnv'],
  ])('refuses the values "%s"', async (values, message) => {
    const { code, stderr } = await helm('template', 'alerts', chart, '--set', values);
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
  });
});

test('the chart lists every secret setting and every queue', () => {
  const schema = JSON.parse(readFileSync(path.join(chart, 'values.schema.json'), 'utf8')) as {
    properties: {
      settings: { propertyNames: { not: { enum: string[] } } };
      workers: { additionalProperties: { properties: { queues: { items: { enum: string[] } } } } };
    };
  };
  const secrets = (Object.keys(settings) as SettingKey[]).filter(isSecretSetting).sort();
  expect(schema.properties.settings.propertyNames.not.enum).toEqual(secrets);
  const { queues } = schema.properties.workers.additionalProperties.properties;
  expect(queues.items.enum).toEqual([...jobQueues]);
});

test('the chart has the version of the package that it installs', () => {
  const { version, appVersion } = parse(readFileSync(path.join(chart, 'Chart.yaml'), 'utf8')) as Record<
    string,
    string
  >;
  const { version: ours } = JSON.parse(
    readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8'),
  ) as { version: string };
  expect([version, appVersion]).toEqual([ours, ours]);
});
