import { type ComponentType, type ReactNode, useEffect, useReducer, useRef } from 'react';
import { toastProblem } from './toast.tsx';

/** Code of a part of a page that is fetched when it is first shown. */
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
  /** Draws the part once its code is there. */
  readonly children: (Part: ComponentType<Props>) => ReactNode;
  /** Shown while the code is on its way. */
  readonly fallback?: ReactNode;
  /** Called when the code could not be loaded, which has been said; shown anew, the part asks for it again. */
  readonly onMissing: () => void;
};

/** A part whose code may fail to come, as while the service is restarted: the page around it stays as it is. */
export function LazyPart<Props>({ code, children, fallback = null, onMissing }: LazyProps<Props>) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const tellMissing = useRef(onMissing);
  tellMissing.current = onMissing;
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
        tellMissing.current();
      },
    );
    return () => {
      isLeft = true;
    };
  }, [code]);
  return code.loaded ? children(code.loaded) : fallback;
}
