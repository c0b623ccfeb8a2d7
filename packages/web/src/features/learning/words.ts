import type { PatchState, PatternKind, PatternState } from '@svc/contract';
import type { Tone } from '../../ui/record/status.tsx';

export const kindWords: Readonly<Record<PatternKind, string>> = {
  SchemaCorrection: 'Correction',
  JoinPattern: 'Join',
  CommonQuery: 'Common query',
  DocumentationGap: 'Documentation gap',
  BusinessTerm: 'Business term',
};

export const stateTones: Readonly<Record<PatternState | PatchState, Tone>> = {
  Proposed: 'blue',
  Approved: 'green',
  Applied: 'green',
  Rejected: 'neutral',
  Superseded: 'amber',
};
