import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Pays USDC once: java -cp 'lib/*:.' Pay ID WALLET_ID TO AMOUNT */
public class Pay {
  static final String QUEUE = System.getenv().getOrDefault("STEADFAST_TASK_QUEUE", "steadfast");
  static final String ADDRESS = System.getenv().getOrDefault("TEMPORAL_ADDRESS", "localhost:7233");

  public static void main(String[] args) throws InterruptedException {
    if (args.length != 4) {
      System.err.println("Give ID WALLET_ID TO AMOUNT.");
      System.exit(2);
    }
    String id = args[0];
    try {
      System.out.println(pay(id, args[1], args[2], args[3]));
      System.exit(0);
    } catch (ExecutionException | TimeoutException error) {
      System.err.println(id + " waits, and no worker answers for it: " + error
          + ". Check the task queue \"" + QUEUE + "\", and the name of the workflow.");
    } catch (WorkflowFailedException error) {
      System.err.println(id + " has ended without a receipt: " + error.getCause().getMessage());
    }
    System.exit(1);
  }

  static Object pay(String id, String walletId, String to, String amount)
      throws ExecutionException, InterruptedException, TimeoutException {
    var service = WorkflowServiceStubs.newServiceStubs(
        WorkflowServiceStubsOptions.newBuilder().setTarget(ADDRESS).build());
    var options = WorkflowOptions.newBuilder()
        .setWorkflowId(id)
        .setTaskQueue(QUEUE)
        .setWorkflowIdReusePolicy(
            WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
        .setWorkflowIdConflictPolicy(
            WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING)
        .build();
    var order = WorkflowClient.newInstance(service)
        .newUntypedWorkflowStub("transferStablecoin", options);
    order.start(Map.of(
        "from", Map.of("walletId", walletId), "to", to, "amount", amount, "token", "USDC"));
    System.err.println(id + ": " + statusOf(order));
    return order.getResult(Map.class).get("txHash");
  }

  static Object statusOf(WorkflowStub order)
      throws ExecutionException, InterruptedException, TimeoutException {
    return CompletableFuture.supplyAsync(() -> order.query("progress", Map.class).get("status"))
        .get(10, TimeUnit.SECONDS);
  }
}
