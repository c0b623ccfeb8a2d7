import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';

export const path = '/svc/api/ai-actors';
type Members = Readonly<Record<string, unknown>>;

/** Returns an action in the form of a model's answer: members of other types are null. */
export const action = (type: string, more: Members = {}) => ({
  type,
  reasoning: 'It is worth it.',
  queryId: null,
  queryName: null,
  description: null,
  sql: null,
  cronExpression: null,
  notificationTrigger: null,
  minimumRowCount: null,
  subscriptionId: null,
  schemaName: null,
  tableName: null,
  contractName: null,
  rules: [],
  ...more,
});

export const rule = (more: Members) => ({
  name: 'A rule',
  type: 'NullRate',
  columns: [],
  maxAgeMinutes: null,
  minRows: null,
  maxRows: null,
  min: null,
  max: null,
  values: [],
  ...more,
});

export const thought = (...actions: readonly unknown[]) => ({
  analysis: 'Orders are not watched.',
  findings: ['Nobody watches orders.'],
  actions,
});

let count = 0;
const fresh = (what: string) => `${what} ${count++}`;

/** Returns a new query with a unique statement. */
export const newQuery = (more: Members = {}) => {
  const name = fresh('Check');
  return action('CreateQuery', {
    queryName: name,
    description: 'Large orders.',
    sql: `select id from orders where total > ${count}`,
    ...more,
  });
};

export type ActorFixture = Awaited<ReturnType<typeof startActorFixture>>;

/** Starts a service with a scripted model and three users: an owner, an Approver, and another Editor. */
export async function startActorFixture(config: Members = {}) {
  const provider: LlmProviderProcess = await startLlmProvider();
  const fixture: RunFixture = await startRunFixture({
    config: {
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'script',
      'Svc:LLM:ApiKey': 'sk-planted-key-0123456789abcdef',
      ...config,
    },
  });
  const { root, svc, projectId, sourceId } = fixture;
  const refreshMetadata = async () => {
    // A data source accepts one refresh per interval; this resets the interval.
    await svc.database.query('update svc.data_sources set metadata_refresh_asked_at = null');
    const answer = await root.post(`/svc/api/data-sources/${sourceId}/refresh-metadata`, {});
    if (answer.status >= 300) throw new Error(`The metadata was not read: ${answer.status} ${answer.text}`);
  };
  await refreshMetadata();
  const person = async (userName: string, roles: Parameters<typeof addUser>[2]) => {
    const made = await addUser(svc, userName, roles);
    return { ...made, client: await signIn(svc, made) };
  };
  const owner = await person('owner', ['Editor']);
  const approver = await person('approver', ['Approver']);
  const editor = await person('editor', ['Editor']);

  const make = async (more: Members = {}, by: HttpClient = owner.client) => {
    const made = await by.post(path, {
      projectId,
      dataSourceId: sourceId,
      name: fresh('Actor'),
      instructions: 'Watch the orders.',
      ...more,
    });
    if (made.status !== 201) throw new Error(`The actor was not made: ${made.status} ${made.text}`);
    return made.read<{ id: number; version: number }>();
  };

  const endOfThink = (actorId: number, thinkId: number) =>
    until('the end of a think', async () => {
      const { body } = await root.get(`${path}/${actorId}/thinks?pageSize=50`);
      const match = body.items.find(({ id }: { id: number }) => id === thinkId);
      return match?.finishedAt ? match : undefined;
    });

  const think = async (actorId: number, answer: unknown, by: HttpClient = owner.client) => {
    await provider.script(answer);
    const ordered = await by.post(`${path}/${actorId}/think`);
    if (ordered.status !== 202) throw new Error(`It does not think: ${ordered.status} ${ordered.text}`);
    return endOfThink(actorId, ordered.read<{ thinkId: number }>().thinkId);
  };

  const plan = async (planId: number, by: HttpClient = root) =>
    (await by.get(`${path}/plans/${planId}`)).body;

  /** Creates a plan of a new or an existing actor. */
  const propose = async (actions: readonly unknown[], actorId?: number) => {
    const id = actorId ?? (await make()).id;
    const ended = await think(id, thought(...actions));
    if (ended.planId === null) throw new Error(`There is no plan: ${JSON.stringify(ended)}`);
    return { actorId: id, think: ended, plan: await plan(ended.planId) };
  };

  const approve = async (planId: number, more: Members = {}, by: HttpClient = approver.client) => {
    const { planHash } = await plan(planId);
    return by.post(`${path}/plans/${planId}/approve`, { planHash, ...more });
  };

  /** Approves a plan of the actions. Returns the created records by result name. */
  const applied = async (actions: readonly unknown[], actorId?: number) => {
    const proposed = await propose(actions, actorId);
    const answer = await approve(proposed.plan.id);
    if (answer.status !== 200) throw new Error(`It was not applied: ${answer.status} ${answer.text}`);
    return { ...proposed, plan: answer.body };
  };

  return {
    ...fixture,

    provider,
    owner,
    approver,
    editor,
    make,
    think,
    endOfThink,
    plan,
    propose,
    approve,
    applied,
    refreshMetadata,
    close: async () => {
      await fixture.close();
      await provider.close();
    },
  };
}
