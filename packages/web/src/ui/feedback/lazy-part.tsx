import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useReducer } from 'react';
import { toastProblem } from './toast.tsx';

/** Code of a part of a page. It loads when the part is first shown. */
type LaterCode<Props> = {
  readonly load: () => Promise<ComponentType<Props>>;
  loaded: ComponentType<Props> | undefined;
};

export const later = <Props,>(load: () => Promise<ComponentType<Props>>): LaterCode<Props> => ({
  load,
  loaded: undefined,
});

type LazyProps<Props> = {
  readonly code: LaterCode<Props>;
  /** Renders the part after its code has loaded. */
  readonly children: (Part: ComponentType<Props>) => ReactNode;
  /** Shown while the code loads. */
  readonly fallback?: ReactNode;
  /** Called after a load failure, which the part has already reported. If the part mounts again, it retries. */
  readonly onMissing: () => void;
};

/**
 * Part of a page whose code may fail to load, e.g. while the service restarts. A failure does not affect the page
 * around it.
 */
export function LazyPart<Props>({ code, children, fallback = null, onMissing }: LazyProps<Props>) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const reportMissing = useEffectEvent(() => onMissing());
  useEffect(() => {
    if (code.loaded) return undefined;
    let isLeft = false;
    code.load().then(
      (component) => {
        code.loaded = component;
        if (!isLeft) redraw();
      },
      (error: unknown) => {
        if (isLeft) return;
        toastProblem(error);
        reportMissing();
      },
    );
    return () => {
      isLeft = true;
    };
  }, [code]);
  return code.loaded ? children(code.loaded) : fallback;
}
