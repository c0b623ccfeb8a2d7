import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { expect } from 'vitest';
import type { ScenarioContext } from './scenario.ts';

export const aiActorsPath = '/svc/api/ai-actors';

/** Returns an action as a model answers it: with all members, and null for members of other action types. */
export const action = (type: string, more: Readonly<Record<string, unknown>>) => ({
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
/** Returns the answer of a think. */
export const thought = (...actions: readonly unknown[]) => ({ analysis: 'As it is.', findings: [], actions });
export const check = (name: string, sql: string) => action('CreateQuery', { queryName: name, sql });

export type Stage = {
  readonly fixture: DeliveryFixture;
  readonly provider: LlmProviderProcess;
  readonly owner: { readonly client: HttpClient; readonly userId: number };
  readonly approver: HttpClient;
  readonly make: (name: string) => Promise<number>;
  /** Starts a think of an actor and waits for its end. */
  readonly think: (
    actorId: number,
    ...answers: readonly unknown[]
  ) => Promise<{
    readonly state: string;
    readonly planId: number | null;
    readonly discarded: { problem: string }[];
  }>;
  readonly approve: (planId: number) => ReturnType<HttpClient['post']>;
};

/** Starts a service with a scripted model, an Editor who owns actors, and an Approver. */
export async function stage({ deliver, onEnd }: Pick<ScenarioContext, 'deliver' | 'onEnd'>): Promise<Stage> {
  const provider = await startLlmProvider();
  onEnd(provider.close);
  const fixture = await deliver({
    'Svc:LLM:TrustedHosts': ['127.0.0.1'],
    'Svc:LLM:Provider': 'OpenAiCompatible',
    'Svc:LLM:Endpoint': `${provider.origin}/v1`,
    'Svc:LLM:Model': 'script',
  });
  const { svc, root, source, projectId, dataSourceId } = fixture;
  await source.sql(
    `create table guests (id int, email text, room text);
     insert into guests values (7, 'planted@example.org', 'planted-room')`,
  );
  await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {});
  const person = async (name: string, role: 'Editor' | 'Approver') => {
    const user = await addUser(svc, name, [role]);
    return { userId: user.userId, client: await signIn(svc, user) };
  };
  const owner = await person('owner', 'Editor');
  const approver = (await person('approver', 'Approver')).client;
  return {
    fixture,
    provider,
    owner,
    approver,
    make: async (name) => {
      const answer = await owner.client.post(aiActorsPath, {
        projectId,
        dataSourceId,
        name,
        instructions: 'Watch the guests.',
      });
      expect(answer.status, answer.text).toBe(201);
      return answer.body.id;
    },
    think: async (actorId, ...answers) => {
      await provider.script(...answers);
      const ordered = await owner.client.post(`${aiActorsPath}/${actorId}/think`);
      expect(ordered.status, ordered.text).toBe(202);
      return until('the end of a think', async () => {
        const { body } = await root.get(`${aiActorsPath}/${actorId}/thinks`);
        const thinkRecord = body.items.find(({ id }: { id: number }) => id === ordered.body.thinkId);
        return thinkRecord?.finishedAt ? thinkRecord : undefined;
      });
    },
    approve: async (planId) => {
      const { planHash } = (await approver.get(`${aiActorsPath}/plans/${planId}`)).body;
      return approver.post(`${aiActorsPath}/plans/${planId}/approve`, { planHash });
    },
  };
}
