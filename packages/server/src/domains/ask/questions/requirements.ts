import type { Caller } from '../../../platform/access/index.ts';
import type { Tx } from '../../../platform/db/index.ts';
import { forbidden, Refusal } from '../../../platform/http/index.ts';
import type { AskDeps, AskSettings } from '../deps.ts';
import { countOpen } from '../store.ts';

/** Maximum number of simultaneous open questions per user. */
const openMax = 3;

/** Returns the settings of a project that permits questions. */
export async function requireAsking(
  { settingsOf }: Pick<AskDeps, 'settingsOf'>,
  projectId: number,
): Promise<AskSettings> {
  const settings = await settingsOf(projectId);
  if (!settings.isAskEnabled)
    throw forbidden('ask-disabled', 'The MCP settings of this project take no questions.');
  return settings;
}

/** Requires a model, unless only checked answers are allowed or the question has one. */
export async function requireAnswerable(
  deps: Pick<AskDeps, 'settingsOf' | 'answering' | 'requireModel'>,
  caller: Caller,
  {
    projectId,
    dataSourceId,
    question,
  }: {
    readonly projectId: number;
    readonly dataSourceId: number;
    readonly question: string;
  },
): Promise<void> {
  const { answersOnlyChecked } = await requireAsking(deps, projectId);
  if (answersOnlyChecked) return;
  if (await deps.answering.hasCheckedAnswer(projectId, dataSourceId, question)) return;
  await deps.requireModel(caller, 'No golden example answers this question.');
}

/** Refuses a further question of an owner with too many open ones. */
export async function requireOpenQuota(tx: Tx, ownerKey: string): Promise<void> {
  if ((await countOpen(tx, ownerKey)) < openMax) return;
  throw new Refusal('too-many-questions', {
    detail: 'Three of your questions are being answered.',
    headers: { 'retry-after': '5' },
  });
}
