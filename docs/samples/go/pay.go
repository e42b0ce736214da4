// Pays USDC once: ./pay ID WALLET_ID TO AMOUNT
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
)

var queue = cmp.Or(os.Getenv("STEADFAST_TASK_QUEUE"), "steadfast")

func main() {
	log.SetFlags(0)
	if len(os.Args) != 5 {
		log.Fatal("Give ID WALLET_ID TO AMOUNT.")
	}
	hash, err := pay(context.Background(), os.Args[1], os.Args[2], os.Args[3], os.Args[4])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hash)
}

func pay(ctx context.Context, id, walletID, to, amount string) (string, error) {
	address := cmp.Or(os.Getenv("TEMPORAL_ADDRESS"), "localhost:7233")
	c, err := client.Dial(client.Options{HostPort: address})
	if err != nil {
		return "", err
	}
	defer c.Close()
	order, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:                       id,
		TaskQueue:                queue,
		WorkflowIDReusePolicy:    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
	}, "transferStablecoin", map[string]any{
		"from":   map[string]string{"walletId": walletID},
		"to":     to,
		"amount": amount,
		"token":  "USDC",
	})
	if err != nil {
		return "", err
	}
	status, err := statusOf(ctx, c, id)
	if err != nil {
		return "", fmt.Errorf("%s waits, and no worker answers for it: %w. "+
			"Check the task queue %q, and the name of the workflow", id, err, queue)
	}
	log.Printf("%s: %s", id, status)
	var receipt struct{ TxHash string }
	if err := order.Get(ctx, &receipt); err != nil {
		return "", fmt.Errorf("%s has ended without a receipt: %w", id, err)
	}
	return receipt.TxHash, nil
}

func statusOf(ctx context.Context, c client.Client, id string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	answer, err := c.QueryWorkflow(ctx, id, "", "progress")
	if err != nil {
		return "", err
	}
	var progress struct{ Status string }
	err = answer.Get(&progress)
	return progress.Status, err
}
