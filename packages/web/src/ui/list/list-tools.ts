import { type ComponentType, createContext } from 'react';

/**
 * What stands beside the columns of every list that can be narrowed, given by whoever draws the frame: the parts in ui
 * know no records. `list` is the name of the list.
 */
export const ListTools = createContext<ComponentType<{ readonly list: string }> | null>(null);
