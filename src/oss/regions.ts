/** How OSS regions and their endpoints are spelled. Pure. */
import { Failure } from '../errors.ts';

/**
 * Regions whose endpoints are not `oss-REGION[-internal].aliyuncs.com`: the finance clouds, where the plain name is
 * the classic internal one and another name is public (help.aliyun.com, OSS "Regions and endpoints"). By region id.
 */
const endpointNames: Readonly<Record<string, { readonly open: string; readonly internal: string }>> = {
  'cn-hangzhou-finance': { open: 'oss-cn-hzfinance', internal: 'oss-cn-hzfinance-internal' },
  'cn-shanghai-finance-1': { open: 'oss-cn-shanghai-finance-1-pub', internal: 'oss-cn-shanghai-finance-1-internal' },
  'cn-shenzhen-finance-1': { open: 'oss-cn-szfinance', internal: 'oss-cn-shenzhen-finance-1-internal' },
  'cn-beijing-finance-1': { open: 'oss-cn-beijing-finance-1-pub', internal: 'oss-cn-beijing-finance-1-internal' },
};

/** What OSS calls some finance regions in Location and in endpoints, and the region id that is signed for. */
const otherNames: Readonly<Record<string, string>> = {
  'cn-hzjbp': 'cn-hangzhou-finance',
  'cn-hzfinance': 'cn-hangzhou-finance',
  'cn-szfinance': 'cn-shenzhen-finance-1',
  'cn-shanghai-finance-1-pub': 'cn-shanghai-finance-1',
  'cn-beijing-finance-1-pub': 'cn-beijing-finance-1',
};

/** People write the city alone (G7); of other cities the region cannot be guessed. */
const chineseCities = new Set(
  'hangzhou shanghai beijing shenzhen guangzhou qingdao zhangjiakou huhehaote wulanchabu heyuan chengdu hongkong'.split(
    ' ',
  ),
);

/** `cn-hangzhou`, `ap-southeast-1`, `cn-north-2-gov-1`. */
const regionForm = /^[a-z]{2}(-[a-z0-9]{2,}|-\d)+$/;
/** `cn-hangzhou-i`, `ap-southeast-1a`: a zone, and its region in the first group. */
const zoneForm = /^([a-z]{2}(?:-[a-z0-9]+)*?)(?:-[a-z]|(?<=\d)[a-z])$/;

/**
 * Region id, as V4 signs for it: `oss-cn-hangzhou`, `cn-hangzhou` and `cn-hangzhou-internal` are all `cn-hangzhou` (G7).
 * @throws Failure RegionInvalid, with the right spelling where it can be guessed
 */
export function region(text: string): string {
  const name = text.trim().toLowerCase();
  const bare = name.replace(/^oss-/, '').replace(/-internal$/, '');
  if (regionForm.test(bare) && !zoneForm.test(bare)) return otherNames[bare] ?? bare;
  const guess = guessed(name, bare);
  throw new Failure('RegionInvalid', `${JSON.stringify(text)} is no region of OSS`, {
    next: [`Write it like ${guess ?? 'cn-hangzhou'}${guess ? '' : ', as the console shows the region of the bucket'}.`],
  });
}

function guessed(name: string, bare: string): string | undefined {
  const host = regionOfEndpoint(name.replace(/^https?:\/\//, '').replace(/\/.*$/, ''));
  if (host !== undefined) return host;
  const zone = zoneForm.exec(bare);
  if (zone && regionForm.test(zone[1]!)) return zone[1];
  return chineseCities.has(bare) ? `cn-${bare}` : undefined;
}

/**
 * Region of a host such as `oss-cn-hangzhou-internal.aliyuncs.com` or `BUCKET.oss-cn-hangzhou.aliyuncs.com`.
 * @returns undefined for every other host, `oss-accelerate.aliyuncs.com` among them
 */
export function regionOfEndpoint(host: string): string | undefined {
  const name = /^(?:[a-z0-9-]+\.)?oss-([a-z0-9-]+)\.aliyuncs\.com$/.exec(host)?.[1]?.replace(/-internal$/, '');
  if (name === undefined || !regionForm.test(name)) return undefined;
  return otherNames[name] ?? name;
}

/** `https://oss-cn-hangzhou.aliyuncs.com`: what the whole internet reaches. */
export const publicEndpoint = (regionId: string): string =>
  `https://${endpointNames[regionId]?.open ?? `oss-${regionId}`}.aliyuncs.com`;

/** `oss-cn-hangzhou-internal.aliyuncs.com`: what only the region's own VPCs reach. */
export const internalHost = (regionId: string): string =>
  `${endpointNames[regionId]?.internal ?? `oss-${regionId}-internal`}.aliyuncs.com`;
