import type { DocumentationKind } from '@svc/contract';
import type { Tx } from '../../platform/db/index.ts';
import { notFound } from '../../platform/http/index.ts';
import { assertVersion } from '../projects/index.ts';
import * as store from './store.ts';
import { recordVersion } from './versions/versions.ts';

/**
 * Appends text to a section and stores it as a person's new version. The existing text does not change. The caller must
 * have checked permission.
 *
 * @param expectedVersion  Version of the section that the caller read; 0 when it did not exist. Throws 412 for another
 * version.
 */
export async function appendToSection(
  tx: Tx,
  projectId: number,
  kind: DocumentationKind,
  text: { readonly content: string; readonly userId: number | null; readonly expectedVersion: number },
): Promise<void> {
  // Concurrent authors of a section's first text wait here, so the second author sees the first text.
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
