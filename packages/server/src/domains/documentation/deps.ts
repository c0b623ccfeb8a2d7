import type { Llm } from '../../gateways/llm/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { RequireModel } from '../llm-usage/index.ts';
import type { GenerateDeps } from './generations/serve.ts';

export type DocumentationDeps = GenerateDeps & {
  readonly llm: Pick<Llm, 'call' | 'absence'>;
  readonly requireModel: RequireModel;
  readonly startedBy: (caller: Caller) => Record<string, string> | undefined;
};
