import { Bone } from "./skeleton";

/** A profile that is coming. */
export function ProfileSkeleton() {
  return (
    <div role="status">
      <h1 className="sr-only">Profile</h1>
      <span className="sr-only">Loading profile...</span>
      <div aria-hidden>
        <div className="aspect-[3/1] w-full animate-breathe bg-wash" />
        <div className="px-4 sm:px-5">
          <Bone className="-mt-12 size-24 ring-4 ring-paper sm:-mt-15 sm:size-30" />
          <Bone className="mt-5 h-6 w-52" />
          <Bone className="mt-3 h-3.5 w-28" />
          <Bone className="mt-6 h-3.5 w-4/5" />
          <Bone className="mt-3 h-3.5 w-3/5" />
        </div>
      </div>
    </div>
  );
}
