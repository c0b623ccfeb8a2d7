import { ImportDataContractsBody, importDataContracts, type OdcsImport } from '@svc/contract';
import { useState } from 'react';
import { useForm } from '../../../lib/form.ts';
import { plural } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { useChange } from '../../../lib/server-state.ts';
import { toastDone } from '../../../ui/feedback/toast.tsx';
import type { Named } from '../../../ui/form/found-select.tsx';
import { useGo } from '../../../ui/frame/go.ts';

type Values = {
  readonly document: string;
  readonly projectId: Named | null;
  readonly dataSourceId: Named | null;
};

const empty: Values = { document: '', projectId: null, dataSourceId: null };

const bodyOf = ({ document, projectId, dataSourceId }: Values) => ({
  document,
  ...(projectId && { projectId: projectId.id }),
  ...(dataSourceId && { dataSourceId: dataSourceId.id }),
});

/** Form of an import. The first submission shows the result, and a second one without changes saves it. */
export function useImport(onImported: () => void) {
  const go = useGo();
  const load = useChange(importDataContracts);
  const [review, setReview] = useState<{ readonly of: string; readonly result: OdcsImport } | null>(null);
  const form = useForm({
    schema: ImportDataContractsBody,
    initial: empty,
    toBody: bodyOf,
    send: async (body) => {
      const isReviewed = review?.of === JSON.stringify(body);
      const result = await load.mutateAsync({ body: { ...body, dryRun: !isReviewed } });
      if (!isReviewed) return setReview({ of: JSON.stringify(body), result });
      toastDone(`${plural(result.contracts.length, 'data contract')} imported.`);
      onImported();
      const [only] = result.contracts;
      if (result.contracts.length === 1 && only?.id != null) go(paths.contract(only.id), { isSaved: true });
    },
  });
  /** Result of the present values. Null before the review and after a change. */
  const reviewed = review?.of === JSON.stringify(bodyOf(form.values)) ? review.result : null;
  return { form, reviewed };
}
