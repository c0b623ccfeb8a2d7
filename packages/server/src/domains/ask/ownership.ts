import type { Caller } from '../../platform/access/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { notFound } from '../../platform/http/index.ts';
import { type ConversationRow, findConversation } from './conversation-store.ts';
import type { AskDeps } from './deps.ts';
import { ownerKeyOf } from './owner-key.ts';
import { type AnswerRow, findAnswer } from './store.ts';

type Deps = Pick<AskDeps, 'database' | 'rights'>;

/** @throws HttpProblem 404 if the caller cannot read the project. */
export async function requireReadable(
  { rights }: Pick<AskDeps, 'rights'>,
  executor: Executor,
  caller: Caller,
  projectId: number,
): Promise<void> {
  if ((await rights.rightIn(executor, caller, projectId)) === null) throw notFound();
}

/** Returns a conversation of the caller. @throws HttpProblem 404 for any other. */
export async function requireOwnConversation(
  deps: Deps,
  caller: Caller,
  id: number,
): Promise<ConversationRow> {
  const conversation = await findConversation(deps.database, id);
  if (!conversation || conversation.ownerKey !== ownerKeyOf(caller)) throw notFound();
  await requireReadable(deps, deps.database, caller, conversation.projectId);
  return conversation;
}

/** Returns an answer of the owner, by default the caller. @throws HttpProblem 404 for any other. */
export async function requireOwnAnswer(
  deps: Deps,
  caller: Caller,
  id: number,
  ownerKey = ownerKeyOf(caller),
): Promise<AnswerRow> {
  const answer = await findAnswer(deps.database, id);
  if (!answer || answer.ownerKey !== ownerKey) throw notFound();
  await requireReadable(deps, deps.database, caller, answer.projectId);
  return answer;
}
