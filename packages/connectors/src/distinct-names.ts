/**
 * Makes names distinct. The first column with a name retains it. Each further one gets the next unused suffix of
 * `_2`, `_3` and so on. A name that a statement gives to one column is never given to another.
 *
 * @param fold Returns the form in which two names are the same. Default: names differ by case.
 */
export function distinctNames(
  names: readonly string[],
  fold: (name: string) => string = (name) => name,
): string[] {
  const reserved = new Set(names.map(fold));
  const used = new Set<string>();
  const nextNumbers = new Map<string, number>();
  return names.map((name) => {
    const base = fold(name);
    let distinct = name;
    if (used.has(base)) {
      let number = nextNumbers.get(base) ?? 2;
      while (reserved.has(fold(`${name}_${number}`)) || used.has(fold(`${name}_${number}`))) number += 1;
      nextNumbers.set(base, number + 1);
      distinct = `${name}_${number}`;
    }
    used.add(fold(distinct));
    return distinct;
  });
}
