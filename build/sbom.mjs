import { FromNodePackageJson, License } from '@cyclonedx/cyclonedx-library/Contrib';
import { ComponentType } from '@cyclonedx/cyclonedx-library/Enums';
import { Bom, Metadata } from '@cyclonedx/cyclonedx-library/Models';
import { JSON as Json, JsonSerializer } from '@cyclonedx/cyclonedx-library/Serialize';
import { Spec1dot6 } from '@cyclonedx/cyclonedx-library/Spec';
import { PackageURL } from 'packageurl-js';
import parseSpdx from 'spdx-expression-parse';

const builder = new FromNodePackageJson.Builders.ComponentBuilder(
  new FromNodePackageJson.Factories.ExternalReferenceFactory(),
  new License.Factories.LicenseFactory(parseSpdx),
);

/**
 * A CycloneDX 1.6 bill of materials in JSON: ourselves and what the bundle holds. It has neither time nor serial
 * number, so the same sources give the same bytes.
 * @param {Record<string, unknown>} ownManifest our package.json
 * @param {import('./packages.mjs').Package[]} packages
 * @returns {string}
 */
export function sbom(ownManifest, packages) {
  const bom = new Bom({ metadata: new Metadata({ component: component(ownManifest, ComponentType.Application) }) });
  for (const { manifest } of packages) {
    const each = component(manifest, ComponentType.Library);
    bom.components.add(each);
    bom.metadata.component?.dependencies.add(each.bomRef);
  }
  const serializer = new JsonSerializer(new Json.Normalize.Factory(Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

/**
 * @param {Record<string, unknown>} manifest
 * @param {ComponentType} type
 */
function component(manifest, type) {
  const made = builder.makeComponent(manifest, type);
  if (made === undefined) throw new Error(`${manifest.name} is no name of a package.`);
  made.purl = new PackageURL('npm', made.group, made.name, made.version).toString();
  made.bomRef.value = made.purl;
  return made;
}
