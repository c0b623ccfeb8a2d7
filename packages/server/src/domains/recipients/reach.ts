import type { Caller } from '../../platform/access/index.ts';
import type { Tx } from '../../platform/db/index.ts';
import { forbidden } from '../../platform/http/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { projectsOfRecipient } from './store/index.ts';

/**
 * Requires that the caller can read all subscriptions and data contracts of a recipient. A change of type, destination
 * or headers redirects their messages (spec 3 section 4).
 *
 * @throws Refusal 403.
 */
export const requireReadOfAll =
  (rights: ProjectRights) =>
  async (tx: Tx, caller: Caller, id: number): Promise<void> => {
    for (const projectId of await projectsOfRecipient(tx, id)) {
      if ((await rights.rightIn(tx, caller, projectId)) === null) {
        throw forbidden(
          'recipient-elsewhere',
          'This recipient is attached to subscriptions or data contracts that you cannot read. Renaming it is possible; redirecting it is not.',
        );
      }
    }
  };
