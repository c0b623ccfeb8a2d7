import { useEffect, useRef, useState } from 'react';
import { goBack, goTo, openTrail, presentPlace, readTo, savedTrail, saveTrail, type Trail } from './trail.ts';

/**
 * Places that the user has opened in the drawer. It begins at the last place, or at `startPage`. It is saved when the
 * drawer closes, with the scroll position of the present page.
 */
export function useHelpTrail(startPage: string) {
  const [trail, setTrail] = useState<Trail>(() => openTrail(startPage, savedTrail()));
  const readTop = useRef(presentPlace(trail).top);
  const present = useRef(trail);
  present.current = trail;
  useEffect(() => () => saveTrail(readTo(present.current, readTop.current)), []);
  const go = (next: (trail: Trail) => Trail) => setTrail((before) => next(readTo(before, readTop.current)));
  return {
    place: presentPlace(trail),
    depth: trail.places.length,
    open: (page: string, anchor: string) => go((before) => goTo(before, page, anchor)),
    back: () => go(goBack),
    noteTop: (top: number) => {
      readTop.current = top;
    },
  };
}
