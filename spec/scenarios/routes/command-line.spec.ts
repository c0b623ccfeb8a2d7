import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { make } from '@svc/testkit/client/make.ts';
import { bearerSettings, issuer, tokenOf } from '@svc/testkit/people/access-token.ts';
import { addKey } from '@svc/testkit/people/people.ts';
import { approvalsOn } from '@svc/testkit/runs/approve.ts';
import { addRecipient, addSubscription } from '@svc/testkit/runs/subscribe.ts';
import { afterAll, expect, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { scenario } from '../support/scenario.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const main = path.join(root, 'packages/cli/src/main.ts');
/** The program of the host, which includes the command line. */
const hostMain = path.join(root, 'apps/host/src/cli.ts');

/** Compile cache of the programs of this file: dozens of them start from the same sources. */
const compiled = mkdtempSync(path.join(os.tmpdir(), 'svc-cli-compiled-'));
afterAll(() => rmSync(compiled, { recursive: true, force: true }));

type Outcome = { readonly code: number | null; readonly out: string; readonly said: string };

/** A machine of a caller: a folder and the program. */
function machine(env: Readonly<Record<string, string>> = {}, program = main) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const start = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    spawn(process.execPath, ['--conditions=svc-source', program, ...args], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        XDG_CONFIG_HOME: folder,
        NODE_COMPILE_CACHE: compiled,
        ...env,
        ...more,
      },
    });
  return {
    credentials: path.join(folder, 'svc/credentials.json'),
    start,
    svc: async (line: string | readonly string[], input = '', more = {}): Promise<Outcome> => {
      const child = start(typeof line === 'string' ? line.split(' ') : line, more);
      let [out, said] = ['', ''];
      child.stdout.on('data', (part: Buffer) => {
        out += part.toString();
      });
      child.stderr.on('data', (part: Buffer) => {
        said += part.toString();
      });
      child.stdin.on('error', () => undefined).end(input);
      const [code] = await once(child, 'close');
      return { code, out, said };
    },
  };
}

const codesOf = async (outcomes: readonly Promise<Outcome>[]) =>
  (await Promise.all(outcomes)).map(({ code }) => code);

scenario(
  ['RT-2-975'],
  'the command line reads a key from the input, stores it only for its service, and never prints it',
  async ({ deliver }) => {
    const { svc, root, projectId } = await deliver();
    const { text: key } = await addKey(root, { scopes: ['Read'], projects: [projectId] });
    const { svc: run, credentials } = machine();
    const outcomes: Outcome[] = [];
    const keep = async (...given: Parameters<typeof run>) => {
      const outcome = await run(...given);
      outcomes.push(outcome);
      return outcome;
    };
    expect((await keep('whoami')).code).toBe(2);
    expect((await keep(`login ${svc.origin}`, 'sk-sem_nonsense\n')).code).toBe(5);
    expect((await keep(`login ${svc.origin}`, '')).code).toBe(2);
    expect((await keep(`login ${svc.origin} ${key}`, '')).code).toBe(2);
    expect((await keep(`login https://user:secret@example.com`, key)).code).toBe(2);
    expect(existsSync(credentials)).toBe(false);

    expect((await keep(`login ${svc.origin}/`, `${key}\n`)).code).toBe(0);
    expect(statSync(credentials).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(credentials)).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(credentials, 'utf8'))).toEqual({ url: svc.origin, key });
    const who = await keep('whoami -o json');
    expect([who.code, JSON.parse(who.out).userName]).toEqual([0, 'root']);
    // The program sends the key to no other address.
    const elsewhere = await keep('whoami', '', { SVC_URL: svc.origin.replace('127.0.0.1', 'localhost') });
    expect(elsewhere.code).toBe(5);
    expect((await keep('whoami', '', { SVC_URL: svc.origin, SVC_KEY: 'sk-sem_other' })).code).toBe(5);
    expect((await keep('whoami', '', { SVC_URL: 'http://127.0.0.1:9' })).code).toBe(1);
    // The error about an invalid key does not contain the key.
    expect((await keep('whoami', '', { SVC_KEY: `${key}\nx` })).code).toBe(2);
    chmodSync(credentials, 0o640);
    const open = await keep('whoami');
    expect([open.code, open.said]).toEqual([1, expect.stringContaining('Others may read')]);
    expect((await keep('logout')).code).toBe(0);
    expect(existsSync(credentials)).toBe(false);
    // No output repeats the key, even though one command line contained it.
    for (const { out, said } of outcomes) expect(out + said).not.toContain(key);
    expect(outcomes.length).toBe(13);
  },
);

scenario(
  ['RT-2-976', 'RT-2-978'],
  'a script can list, show and run, and check the exit code of each command',
  async ({ deliver }) => {
    const { svc, root, source, sink, projectId, addQuery } = await deliver();
    await source.sql('create table orders (id int primary key, customer text, total numeric(10,2))');
    await source.sql("insert into orders values (1, 'Ada', 10.50), (2, 'Grace, \"the\" first', null)");
    const queryId = await addQuery('select id, customer, total from orders order by id', 'All orders');
    const slowId = await addQuery('select pg_sleep(600)', 'Slow');
    const brokenId = await addQuery('select * from nowhere', 'Broken');
    const destination = `${sink.url}/in`;
    const recipientIds = [await addRecipient(root, { notificationType: 'Webhook', destination })];
    const subscribe = (id: number) => addSubscription(root, { queryId: id, recipientIds });
    const [good, slow, broken] = [
      await subscribe(queryId),
      await subscribe(slowId),
      await subscribe(brokenId),
    ];
    const { text: key } = await addKey(root, { scopes: ['Read', 'Execute'], projects: [projectId] });
    const reader = await addKey(root, { scopes: ['Read'], projects: [projectId] });
    const { svc: run, start } = machine({ SVC_URL: svc.origin, SVC_KEY: key });

    const table = await run('query list --search orders');
    expect(table.out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
      ['ID', 'NAME', 'PROJECT'],
      [String(queryId), 'All orders', 'Shop'],
      [''],
    ]);
    expect(JSON.parse((await run('query list -o json --limit 2')).out)).toHaveLength(2);
    expect(parse((await run(`query show ${queryId} -o yaml`)).out)).toMatchObject({ name: 'All orders' });

    const csv = await run(`query run ${queryId} -o csv`);
    expect([csv.code, csv.said, csv.out]).toEqual([
      0,
      '',
      'id,customer,total\r\n1,Ada,10.50\r\n2,"Grace, ""the"" first",\r\n',
    ]);
    const rows = await run(`query run ${queryId} -o json`);
    expect(JSON.parse(rows.out)).toMatchObject({
      rows: [
        [1, 'Ada', '10.50'],
        [2, expect.anything(), null],
      ],
    });

    const tested = await run(`subscription test-run ${good} --wait=60 -o json`);
    expect([tested.code, JSON.parse(tested.out).status]).toEqual([0, 'Sent']);
    expect(tested.said).toMatch(/^Run \d+: /);
    expect(sink.received.length).toBe(1);
    const { id: runId } = JSON.parse(tested.out);
    expect(JSON.parse((await run(`run list --subscription ${good} -o json`)).out)).toMatchObject([
      { id: runId },
    ]);
    expect(parse((await run(`run show ${runId} -o yaml`)).out)).toMatchObject({ id: runId, status: 'Sent' });

    const failed = await run(`subscription test-run ${broken} --wait`);
    expect([failed.code, failed.out]).toEqual([1, expect.stringContaining('Failed')]);
    const late = await run(`subscription test-run ${slow} --wait=0.2`);
    expect([late.code, late.out]).toEqual([6, '']);
    expect(
      await codesOf([
        run('query show 999999'),
        run('query show 0'),
        run('query list --limit none'),
        run('nonsense'),
        run('query list -o xml'),
        run('query list', '', { SVC_KEY: 'sk-sem_nonsense' }),
        run(`subscription test-run ${good}`, '', { SVC_KEY: reader.text }),
        run('migration list'),
        run('query list', '', { SVC_URL: 'ftp://nowhere' }),
        run('--help'),
      ]),
    ).toEqual([1, 2, 2, 2, 2, 5, 5, 1, 2, 0]);
    const none = await run('query show 999999');
    expect([none.out, none.said]).toEqual(['', expect.stringContaining('not-found')]);

    const asleep = async () =>
      (
        await source.pool.query(
          "select 1 from pg_stat_activity where state = 'active' and query ~ 'sleep.601'",
        )
      ).rowCount;
    const endless = await addQuery('select pg_sleep(601)', 'Endless');
    const stopped = start(['query', 'run', String(endless)]);
    // The count includes the counting statement itself.
    await expect.poll(asleep).toBe(2);
    stopped.kill('SIGINT');
    expect((await once(stopped, 'close'))[0]).toBe(130);
    await expect.poll(asleep).toBe(1);
    // Ends the remaining run, because the service would wait for it at its end.
    await source.sql(
      "select pg_terminate_backend(pid) from pg_stat_activity where query = 'select pg_sleep(600)'",
    );
  },
);

scenario(
  ['RT-2-978'],
  'the command line sends any API request, with its body from the input',
  async ({ svc, root }) => {
    const { id: projectId } = await make(root, '/svc/api/projects', {
      name: 'By the API',
      description: null,
    });
    const { text: key } = await addKey(root, { scopes: ['Read', 'Execute'], projects: [projectId] });
    const { svc: run } = machine({ SVC_URL: svc.origin, SVC_KEY: key });
    const body = JSON.stringify({ projectId, name: 'Made' });
    const once = ['api', 'post', '/svc/api/query-folders', '--idempotency-key', 'k-1'];
    const made = await run(once, body);
    expect([made.code, JSON.parse(made.out)]).toMatchObject([0, { name: 'Made' }]);
    expect((await run(once, body)).out).toBe(made.out);
    const refused = await run('api POST /svc/api/query-folders', '{"name":7}');
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.said).toContain('projectId');
    // The program of the host handles the same command line in the same way.
    const onHost = machine({ SVC_URL: svc.origin, SVC_KEY: key }, hostMain);
    expect((await onHost.svc(once, body)).out).toBe(made.out);
    const list = await run(`api GET /svc/api/query-folders?projectId=${projectId} -o csv`);
    expect(list.out.split('\r\n')[0]).toContain('name');
    expect(list.out).toContain('Made');
    expect(
      await codesOf([
        run('api BREW /svc/api/projects'),
        run('api GET //elsewhere.example.com'),
        run('api GET https://elsewhere.example.com'),
        run(`api DELETE /svc/api/query-folders/${JSON.parse(made.out).id} --no-body`),
      ]),
    ).toEqual([2, 2, 2, 0]);
  },
);

scenario(
  ['RT-2-977'],
  'the command line prints text from the service without control characters',
  async ({ deliver }) => {
    const { svc, root, source, projectId, addQuery } = await deliver();
    const nasty = 'a\u001b[31mred\u0007\u009b2J\u202ebidi\u007f';
    await source.sql('create table texts (value text)');
    await source.sql('insert into texts values ($1)', [nasty]);
    const id = await addQuery(`select value, value as "${'h\u009b\u202e'}" from texts`, 'Hostile');
    const { text: key } = await addKey(root, { scopes: ['Read', 'Execute'], projects: [projectId] });
    const { svc: run } = machine({ SVC_URL: svc.origin, SVC_KEY: key });
    const orders = /(?![\n\r\t])[\p{Cc}\p{Bidi_Control}]/u;
    for (const format of ['table', 'json', 'csv', 'yaml']) {
      const { code, out } = await run(`query run ${id} -o ${format}`);
      expect([format, code, orders.test(out)]).toEqual([format, 0, false]);
      expect(out).toContain('bidi');
      if (format === 'json') expect(JSON.parse(out).rows[0][0]).toBe(nasty);
      if (format === 'yaml') expect(parse(out).rows[0][0]).toBe(nasty);
    }
    const path_ = `/svc/api/queries/${id}?x=`;
    const refused = await run(['api', 'PATCH', path_], JSON.stringify({ [nasty]: 1 }));
    expect([refused.code, orders.test(refused.said)]).toEqual([1, false]);
  },
);

scenario(
  ['RT-2-976', 'RT-2-978'],
  'migrations run with a token until they end, and a run whose recipients await approval ends with code 4',
  async ({ deliver }) => {
    const { svc, root, sink, source, dataSourceId, addQuery } = await deliver({
      ...bearerSettings,
      ...approvalsOn,
      'Svc:Migrations:Enabled': true,
    });
    const owner = { issuer, subject: 'user-1', userName: 'token-user', roles: ['Admin'] };
    await make(root, '/svc/api/users/external', owner);
    const { svc: run } = machine({ SVC_URL: svc.origin, SVC_KEY: tokenOf() });
    const queryId = await addQuery('select 1 as one');
    const destination = `${sink.url}/in`;
    const recipientIds = [await addRecipient(root, { notificationType: 'Webhook', destination })];
    const subscription = await addSubscription(root, { queryId, recipientIds });
    const waits = await run(`subscription test-run ${subscription} --wait`);
    expect([waits.code, waits.said]).toEqual([4, expect.stringContaining('nobody-to-notify')]);

    await source.sql('create table orders (id int primary key)');
    await source.sql('insert into orders select generate_series(1, 3)');
    await root.put(`/svc/api/data-sources/${dataSourceId}/migration-writes`, { isAllowed: true });
    const job = {
      name: 'Copy of orders',
      dataSourceId,
      source: { kind: 'Table', schema: 'public', table: 'orders' },
      destinationDataSourceId: dataSourceId,
      destination: { schema: 'public', table: 'copied_orders' },
      createsTable: true,
      mode: 'Insert',
    };
    const made = await run('api POST /svc/api/migrations/jobs', JSON.stringify(job));
    const { id } = JSON.parse(made.out);
    const copied = await run(`migration run ${id} --wait -o json`);
    expect([copied.code, JSON.parse(copied.out)]).toMatchObject([
      0,
      { status: 'Completed', rowsInserted: 3 },
    ]);
    expect(copied.said).toMatch(/^Execution \d+: /);
    await source.sql('create unique index on copied_orders (id)');
    const again = await run(`migration run ${id} --wait`);
    expect([again.code, again.said]).toEqual([1, expect.stringContaining('Failed')]);
    expect(JSON.parse((await run('migration list -o json')).out)).toMatchObject([
      { id, name: 'Copy of orders' },
    ]);
    const ended = JSON.parse(copied.out).id;
    expect((await run(`migration cancel ${ended}`)).code).toBe(1);
  },
);

scenario(['RT-2-978'], 'shell completion offers commands, options and values', async () => {
  const { svc: run } = machine();
  const script = await run('completion bash');
  const completed = (words: readonly string[]) => {
    const line = [...words.slice(0, -1), words.at(-1) ?? ''];
    const shell = `${script.out}\nCOMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${line.length - 1}; _svc; echo "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['-c', shell], { encoding: 'utf8' }).stdout.trim();
  };
  expect(completed(['svc', 'q'])).toBe('query');
  expect(completed(['svc', 'query', 'r'])).toBe('run');
  expect(completed(['svc', 'query', 'list', '--pro'])).toBe('--project');
  expect(completed(['svc', 'completion', ''])).toContain('bash zsh fish');
  expect((await run('completion zsh')).out).toContain('bashcompinit');
  expect((await run('completion fish')).out).toContain('"query run*"');
  expect((await run('completion powershell')).code).toBe(2);
});
