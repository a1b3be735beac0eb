/** What stands before all paths, where the service is not at the root of its address; without a slash at its end. */
export function basePathOf({ publicUrl }: { readonly publicUrl: string }): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '');
}
