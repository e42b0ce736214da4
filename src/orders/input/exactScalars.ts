import type { Tags } from 'yaml';

/**
 * Keeps all but whole numbers as text. Otherwise YAML reads an unquoted address as a hexadecimal
 * number, and 12.50 as 12.5.
 */
export function exactScalars(tags: Tags): Tags {
  return tags.filter(
    (tag) =>
      typeof tag === 'string' ||
      !(
        tag.tag === 'tag:yaml.org,2002:float' ||
        (tag.tag === 'tag:yaml.org,2002:int' && tag.format !== undefined)
      ),
  );
}
