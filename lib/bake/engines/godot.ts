export async function godotOfPlan(...args: unknown[]): Promise<any> {
    return args;
}
