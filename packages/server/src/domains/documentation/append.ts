import type { DocumentationKind } from '@svc/contract';
import type { Tx } from '../../platform/db/index.ts';
import { notFound } from '../../platform/http/index.ts';
import { assertVersion } from '../projects/index.ts';
import * as store from './store.ts';
import { recordVersion } from './versions/versions.ts';

/**
 * Adds a text at the end of a section, as a new version that is a person's: nothing that stands there is replaced. The
 * caller has decided who may.
 *
 * @param expectedVersion  of the section that was seen; 0: there was none. Throws 412 when it is another one.
 */
export async function appendToSection(
  tx: Tx,
  projectId: number,
  kind: DocumentationKind,
  text: { readonly content: string; readonly userId: number | null; readonly expectedVersion: number },
): Promise<void> {
  // Whoever writes the first text of a section at the same moment waits, and is seen.
  const isNew = await store.beginSection(tx, projectId, kind, text.userId);
  const section = await store.findSection(tx, projectId, kind, { forUpdate: true });
  if (!section) throw notFound();
  assertVersion(isNew ? 0 : section.version, text.expectedVersion);
  const before = section.content.trimEnd();
  if (before.split('\n').includes(text.content)) return;
  const content = before === '' ? text.content : `${before}\n${text.content}`;
  await store.extendSection(tx, projectId, kind, { content, userId: text.userId, isNew });
  await recordVersion(tx, projectId, { cause: 'Patched', userId: text.userId });
}
