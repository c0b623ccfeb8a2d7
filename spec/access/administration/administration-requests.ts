import type { Recipes } from '../recipe.ts';
import { freshChange } from './change-requests.ts';

const changes = '/svc/api/approvals/changes';

/** A language model at a host name that never resolves. */
const unreachableModel = { provider: 'OpenAiCompatible', endpoint: 'https://llm.invalid/v1', model: 'm' };

/** Counts requests, so that each request changes the previous value of its setting. */
let settingsCount = 0;

/** Requests about approvals and settings. */
export const administrationRecipes: Recipes = {
  [`GET ${changes}/{id}`]: async (fixture) => ({ path: (await freshChange(fixture)).path }),
  [`POST ${changes}/{id}/approve`]: async (fixture) => {
    const { path, changeHash } = await freshChange(fixture);
    return { path: `${path}/approve`, body: { changeHash } };
  },
  [`POST ${changes}/{id}/reject`]: async (fixture) => ({
    path: `${(await freshChange(fixture)).path}/reject`,
    body: { comment: 'No.' },
  }),
  [`POST ${changes}/{id}/withdraw (the caller's own)`]: async (fixture, kind) => ({
    path: `${(await freshChange(fixture, kind)).path}/withdraw`,
  }),
  'PUT /svc/api/admin-settings (default time zone)': async () => ({
    body: { defaultTimeZone: settingsCount++ % 2 === 0 ? 'Europe/Zagreb' : 'Europe/Paris' },
  }),
  'PUT /svc/api/admin-settings (LLM connection)': async () => ({
    body: { llmConnection: { ...unreachableModel, model: `model-${settingsCount++}` } },
  }),
  'POST /svc/api/admin-settings/test-llm': async ({ root }) => {
    await root.put('/svc/api/admin-settings', { llmConnection: unreachableModel });
    return { body: {} };
  },
  'POST /svc/api/admin-settings/test-llm (draft)': async () => ({
    body: { llmConnection: unreachableModel },
  }),
  'PUT /svc/api/admin-settings (base URL)': async () => ({
    body: { baseUrl: `https://host-${settingsCount++}.example.org/svc` },
  }),
};
