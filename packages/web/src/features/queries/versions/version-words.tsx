import type { DefinitionPart, QueryVersionListItem } from '@svc/contract';
import { Status } from '../../../ui/record/status.tsx';

const partNames: Readonly<Record<DefinitionPart, string>> = {
  Name: 'name',
  Description: 'description',
  Step: 'SQL',
  FinalQuery: 'final query',
  Parameter: 'parameters',
};

/** Returns the parts of a definition as a list in words. */
export const partsText = (parts: readonly DefinitionPart[]): string =>
  [...new Set(parts)].map((part) => partNames[part]).join(', ');

/** Describes the changes of a version in one line. */
export function changeText({
  versionNumber,
  changedParts,
  restoredFromNumber,
}: QueryVersionListItem): string {
  if (restoredFromNumber !== null) return `Restored version ${restoredFromNumber}`;
  if (changedParts.length === 0) return versionNumber === 1 ? 'Created' : 'Nothing that shows';
  return `Changed ${partsText(changedParts)}`;
}

/** Status of a version. */
export function VersionStatus({ status }: Pick<QueryVersionListItem, 'status'>) {
  switch (status) {
    case 'Active':
      return <Status tone="green">Active</Status>;
    case 'PendingApproval':
      return <Status tone="amber">Awaiting approval</Status>;
    case 'Rejected':
      return <Status tone="red">Rejected</Status>;
    case 'Archived':
      return <span className="soft">Earlier</span>;
    case 'Withdrawn':
      return <span className="soft">Withdrawn</span>;
  }
}
