import {
  archiveSubscription,
  createSubscription,
  type Subscription,
  testRunSubscription,
} from '@svc/contract';
import { paths } from '../../../lib/paths.ts';
import { useChange } from '../../../lib/server-state.ts';
import { toastDone, toastProblem } from '../../../ui/feedback/toast.tsx';
import { useGo } from '../../../ui/frame/go.ts';
import { bodyOf, type Choices } from './choices.ts';

/** Creates the subscription. Archives the replaced one and starts the first run, if requested. */
export function useCreateSubscription(choices: Choices, toArchive: Subscription | null) {
  const go = useGo();
  const create = useChange(createSubscription, { touches: ['queries'] });
  const archive = useChange(archiveSubscription);
  const test = useChange(testRunSubscription, { touches: ['notifications'] });

  const createNow = async (isSentNow: boolean) => {
    const subscription = await create.mutateAsync({ body: bodyOf(choices) }).catch(() => undefined);
    // The refusal is shown above the summary.
    if (!subscription) return;
    if (toArchive) await archive.mutateAsync({ params: { id: toArchive.id } }).catch(toastProblem);
    const link = { to: paths.subscription(subscription.id), label: 'See it' };
    toastDone(`The subscription to “${subscription.queryName}” was created.`, isSentNow ? link : undefined);
    const run = isSentNow
      ? await test.mutateAsync({ params: { id: subscription.id } }).catch((error: unknown) => {
          toastProblem(error);
          return undefined;
        })
      : undefined;
    go(run ? paths.notification(run.id) : paths.subscription(subscription.id), {
      replace: true,
      isSaved: true,
    });
  };

  return {
    create: createNow,
    error: create.error,
    isCreating: create.isPending || archive.isPending || test.isPending,
  };
}
