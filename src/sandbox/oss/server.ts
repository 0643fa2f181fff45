/** One request to OSS: what it means, who signed it, may they, and the answer. */
import type { Answer, Handler, Request } from '../http.ts';
import { type Address, addressOf } from './address.ts';
import { accessDenied, errorAnswer, OssError } from './answers.ts';
import { bucketOperations, serviceOperations } from './bucket-requests.ts';
import { type Bucket, newBuckets, type SavedBucket } from './buckets.ts';
import { ObjectFiles } from './files.ts';
import { objectOperations } from './object-requests.ts';
import { permit } from './permission.ts';
import { type AccessKey, type Signer, signerOf } from './signature.ts';

export class Oss {
  readonly buckets: readonly Bucket[];
  readonly files: ObjectFiles;
  /** False as on accounts that are new since V1 was closed: a V1 signature is 403. */
  acceptV1 = false;
  readonly #key: AccessKey;
  readonly #changed: () => void;

  /**
   * @param dir Where the objects are kept.
   * @param saved What a former run left; undefined for new buckets.
   * @param changed Called after a change of a bucket's settings.
   */
  constructor(dir: string, key: AccessKey, saved: readonly SavedBucket[] | undefined, changed: () => void) {
    this.files = new ObjectFiles(dir);
    this.buckets = saved?.map((bucket) => ({ policy: undefined, ...bucket })) ?? newBuckets();
    this.#key = key;
    this.#changed = changed;
  }

  readonly handler: Handler = (request) => {
    let signer: Signer | undefined;
    try {
      const address = addressOf(request);
      signer = signerOf(request, address, this.#key, this.acceptV1);
      return { ...this.#answer(request, address, signer), user: signer?.keyId ?? 'anonymous' };
    } catch (error) {
      const refusal =
        error instanceof OssError ? error : new OssError(500, 'InternalError', `Internal error: ${error}`);
      const user = signer?.keyId ?? 'anonymous';
      return { ...errorAnswer(refusal, request.headers.host ?? '', request.method), user };
    }
  };

  #answer(request: Request, address: Address, signer: Signer | undefined): Answer {
    const operation = [request.method, subresourceOf(request)].join(' ').trim();
    if (address.bucket === undefined) {
      if (!signer) throw accessDenied('Anonymous access is forbidden for this operation.');
      return found(serviceOperations, operation)(this.buckets);
    }
    const bucket = this.buckets.find(({ name }) => name === address.bucket);
    if (!bucket) {
      const more = { BucketName: address.bucket };
      throw new OssError(404, 'NoSuchBucket', 'The specified bucket does not exist.', more);
    }
    checkRegion(bucket, address, signer);
    const { key } = address;
    if (key === '') {
      const { action, run } = found(bucketOperations, operation);
      permit(request, signer, action, bucket, key);
      const answer = run({ request, bucket, files: this.files });
      if (request.method !== 'GET') this.#changed();
      return answer;
    }
    const { action, run } = found(objectOperations, operation);
    const object = this.files.info(bucket.name, key);
    permit(request, signer, action, bucket, key, object);
    return run({ request, bucket, key, files: this.files, object });
  }
}

/** Query parameters that make another operation of a request; all others are arguments. */
const subresources =
  /^(acl|bucketInfo|location|policy|policyStatus|publicAccessBlock|versioning|objectMeta|tagging|uploads|uploadId|delete|symlink|append|restore|lifecycle|logging|website|referer|cors|encryption|stat)$/;
const subresourceOf = ({ query }: Request) => [...query.keys()].find((name) => subresources.test(name)) ?? '';

function found<T>(operations: Readonly<Record<string, T>>, operation: string): T {
  const one = operations[operation];
  if (!one) throw new OssError(501, 'NotImplemented', `The sandbox's OSS does not know ${operation}.`);
  return one;
}

/** A loopback address is every region's endpoint: there the signature's scope says which one is meant. */
function checkRegion({ region }: Bucket, address: Address, signer: Signer | undefined): void {
  const addressed = address.region ?? signer?.region ?? region;
  if (addressed !== region) {
    throw accessDenied(
      'The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future requests to this endpoint.',
      { Endpoint: `oss-${region}.aliyuncs.com` },
    );
  }
  if (signer?.region !== undefined && signer.region !== region) {
    const more = { EC: '0002-00000226' };
    throw new OssError(400, 'InvalidArgument', 'Invalid signing region in Authorization header.', more);
  }
}
